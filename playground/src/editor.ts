// SPDX-License-Identifier: Apache-2.0
// The text of the model with the numbers of its lines; what is wrong is underlined at its place. A text area in front,
// the same text behind it, of which only the underlining is seen.
import { element } from "../viewer/src/dom";

export interface Place { line: number; column: number }

// offsets of what stands at a place: a word, or one character. Columns count characters
function spanAt(text: string, place: Place): [number, number] {
    let start = 0;
    for (let line = 1; line < place.line; line++) {
        const end = text.indexOf("\n", start);
        if (end < 0) break;
        start = end + 1;
    }
    const stop = text.indexOf("\n", start), line = text.slice(start, stop < 0 ? text.length : stop);
    const before = [...line].slice(0, place.column - 1).join("").length;
    const word = /^([\w.]+|\S)/.exec(line.slice(before));
    // behind the last character the last one is underlined
    if (!word) return [start + Math.max(0, line.trimEnd().length - 1), start + Math.max(1, line.length)];
    return [start + before, start + before + word[0].length];
}

export class Editor {
    readonly area = element("textarea", { spellcheck: "false", autocapitalize: "off", autocomplete: "off", wrap: "off", "aria-label": "the model" });
    readonly root: HTMLElement;
    private readonly behind = element("pre", { "aria-hidden": "true" });
    private readonly numbers = element("pre", { class: "numbers", "aria-hidden": "true" });
    private wrong: Place | null = null;

    constructor(change: () => void) {
        this.root = element("div", { class: "sheet" }, this.numbers, this.behind, this.area);
        this.area.addEventListener("input", () => { this.wrong = null; this.draw(); change(); });
        this.area.addEventListener("scroll", () => this.follow());
        this.area.addEventListener("keydown", (e) => {
            if (e.key !== "Tab" || e.shiftKey || e.ctrlKey || e.altKey) return;
            e.preventDefault(); // YAML has no tabs
            this.area.setRangeText("  ", this.area.selectionStart, this.area.selectionEnd, "end");
            this.area.dispatchEvent(new Event("input"));
        });
    }

    get text(): string { return this.area.value; }
    set text(text: string) {
        this.area.value = text;
        this.area.scrollTop = this.area.scrollLeft = 0;
        this.wrong = null;
        this.draw();
    }

    /** Underlines what stands there; null: nothing. */
    underline(place: Place | null): void {
        this.wrong = place;
        this.draw();
    }

    /** Puts the cursor there. */
    goTo(place: Place): void {
        const [start, end] = spanAt(this.text, place);
        this.area.focus();
        this.area.setSelectionRange(start, end);
        const height = this.area.scrollHeight / Math.max(1, this.text.split("\n").length);
        this.area.scrollTop = Math.max(0, (place.line - 4) * height);
    }

    private draw(): void {
        const text = this.text, lines = text.split("\n").length;
        this.numbers.replaceChildren(...Array.from({ length: lines }, (_, i) =>
            this.wrong?.line === i + 1 ? element("b", {}, `${i + 1}\n`) : `${i + 1}\n`));
        if (this.wrong) {
            const [start, end] = spanAt(text, this.wrong);
            this.behind.replaceChildren(text.slice(0, start), element("mark", {}, text.slice(start, end)), `${text.slice(end)}\n`);
        } else {
            this.behind.replaceChildren();
        }
        this.follow();
    }

    private follow(): void {
        this.behind.scrollTop = this.numbers.scrollTop = this.area.scrollTop;
        this.behind.scrollLeft = this.area.scrollLeft;
    }
}
