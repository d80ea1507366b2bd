// SPDX-License-Identifier: Apache-2.0
// What the page itself reads of a model: its parameters that are plain numbers. All else is for the engine to read.
import { isMap, isScalar, parseDocument } from "yaml";

export interface Parameter { name: string; value: number; about: string }

const plainNumber = /^[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$/;
const most = 60;

export function parametersOf(text: string): Parameter[] {
    const found: Parameter[] = [];
    let root: unknown;
    try {
        root = parseDocument(text, { schema: "failsafe", prettyErrors: false, uniqueKeys: false, logLevel: "silent" }).contents;
    } catch {
        return found;
    }
    const section = isMap(root) ? root.get("parameters", true) : null;
    if (!isMap(section)) return found;
    for (const { key, value } of section.items) {
        if (!isScalar(key) || !isScalar(value) || !plainNumber.test(String(value.value))) continue;
        found.push({ name: String(key.value), value: Number(value.value), about: (value.comment ?? "").trim() });
    }
    return found.slice(0, most);
}

/** Where a slider goes: from 0 to some of its value; of 0 around it. */
export function rangeOf(value: number): { low: number; high: number; step: number } {
    const reach = value === 0 ? 1 : 2.5 * Math.abs(value);
    const low = value > 0 ? 0 : -reach, high = value < 0 ? 0 : reach;
    return { low, high, step: (high - low) / 250 };
}
