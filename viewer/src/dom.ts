// SPDX-License-Identifier: Apache-2.0
// Elements from code. Texts go in as text nodes only, so that nothing in a model or a path can become markup.

type Child = Node | string | null;

export function element<K extends keyof HTMLElementTagNameMap>(
    tag: K, attributes: Record<string, string> = {}, ...children: Child[]
): HTMLElementTagNameMap[K] {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    for (const child of children) if (child !== null) made.append(child);
    return made;
}

export function button(text: string, title: string, press: () => void, kind = ""): HTMLButtonElement {
    const made = element("button", { type: "button", title, class: kind }, text);
    made.addEventListener("click", press);
    return made;
}

/** The value of a colour of the style sheet, as it is now. */
export function colour(name: string): string {
    return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

export const seriesColours = 8;
export function seriesColour(i: number): string {
    return colour(`series-${(i % seriesColours) + 1}`);
}
