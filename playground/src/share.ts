// SPDX-License-Identifier: Apache-2.0
// A model, its sliders and how it is run, as the fragment of the page's address: deflated, base64 of the kind that
// needs no escapes. A fragment is not sent to any server.
import type { Values } from "./sliders";

/** text is absent where it is the example's own */
export interface Shared { example: string; text?: string; values: Values; run: Record<string, string> }

const mostBytes = 200000;
const lead = "#m=";

async function through(bytes: Uint8Array<ArrayBuffer>, stream: CompressionStream | DecompressionStream, most: number): Promise<Uint8Array> {
    const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader(), parts: Uint8Array[] = [];
    let n = 0;
    for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        n += value.length;
        if (n > most) throw new Error("too much is shared");
        parts.push(value);
    }
    const whole = new Uint8Array(n);
    n = 0;
    for (const part of parts) { whole.set(part, n); n += part.length; }
    return whole;
}

export async function toFragment(shared: Shared): Promise<string> {
    const bytes = await through(new TextEncoder().encode(JSON.stringify(shared)), new CompressionStream("deflate-raw"), mostBytes);
    let text = "";
    for (const b of bytes) text += String.fromCharCode(b);
    return lead + btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** null where the fragment is none, or not of this kind. Whoever made it is not trusted. */
export async function fromFragment(fragment: string): Promise<Shared | null> {
    if (!fragment.startsWith(lead) || fragment.length > 2 * mostBytes) return null;
    try {
        const text = atob(fragment.slice(lead.length).replaceAll("-", "+").replaceAll("_", "/"));
        const bytes = await through(Uint8Array.from(text, (c) => c.charCodeAt(0)), new DecompressionStream("deflate-raw"), 10 * mostBytes);
        const raw = JSON.parse(new TextDecoder().decode(bytes)) as Partial<Shared>;
        const pick = <T>(from: unknown, isGood: (x: unknown) => x is T): Record<string, T> =>
            Object.fromEntries(Object.entries(from && typeof from === "object" ? from : {}).filter((e): e is [string, T] => isGood(e[1])));
        return {
            example: typeof raw.example === "string" ? raw.example : "",
            ...(typeof raw.text === "string" ? { text: raw.text } : {}),
            values: pick(raw.values, (x): x is number => typeof x === "number"),
            run: pick(raw.run, (x): x is string => typeof x === "string" && x.length < 40),
        };
    } catch {
        return null;
    }
}
