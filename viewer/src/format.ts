// SPDX-License-Identifier: Apache-2.0
// Numbers and units as people write them.

const prefixes: Record<number, string> = { [-12]: "p", [-9]: "n", [-6]: "µ", [-3]: "m", 0: "", 3: "k", 6: "M", 9: "G" };
const prefixable = new Set(["m", "m/s", "N", "N s", "N m", "J", "W", "s"]);

/** What the numbers of an axis are divided by, and the unit that goes with it. */
export interface Scaled { factor: number; unit: string }

export function scaleFor(largest: number, unit: string): Scaled {
    if (!(largest > 0) || !isFinite(largest) || (largest >= 0.1 && largest < 1e4)) return { factor: 1, unit };
    const power = 3 * Math.floor(Math.log10(largest) / 3 + 1e-9);
    const most = unit === "s" ? 0 : 9;
    if (prefixable.has(unit) && power >= -12 && power <= most) return { factor: 10 ** power, unit: prefixes[power] + unit };
    return { factor: 10 ** power, unit: `10${raised(power)}${unit ? " " + unit : ""}` };
}

function raised(power: number): string {
    return String(power).replace(/[-0-9]/g, (c) => (c === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(c)] ?? c));
}

export function titled(label: string, unit: string): string {
    return unit ? `${label} [${unit}]` : label;
}

/** Ticks with as many decimals as their distance asks for. */
export function ticks(splits: number[], factor: number): string[] {
    const step = splits.length > 1 ? Math.abs((splits[1] as number) - (splits[0] as number)) / factor : 1;
    let decimals = 0;
    while (decimals < 9 && Math.abs(step * 10 ** decimals - Math.round(step * 10 ** decimals)) > 1e-6 * step * 10 ** decimals) decimals++;
    return splits.map((v) => {
        const text = (v / factor).toFixed(decimals);
        return (Number(text) === 0 ? text.replace("-", "") : text).replace("-", "−");
    });
}

/** A number with its unit, four digits. */
export function quantity(value: number | null | undefined, unit: string): string {
    if (value === null || value === undefined || !isFinite(value)) return "–";
    if (value === 0) return unit ? `0 ${unit}` : "0";
    if (unit && (Math.abs(value) < 1e-12 || Math.abs(value) >= 1e13))
        return `${value.toExponential(3).replace(/-/g, "−")} ${unit}`;
    const scaled = unit ? scaleFor(Math.abs(value), unit) : { factor: 1, unit };
    const text = (value / scaled.factor).toPrecision(4).replace(/-/g, "−");
    return scaled.unit ? `${text} ${scaled.unit}` : text;
}

export function seconds(t: number, range: number): string {
    const decimals = Math.min(9, Math.max(2, 3 - Math.floor(Math.log10(range || 1))));
    return `${t.toFixed(decimals)} s`;
}

/** A time, six digits and no more zeros than it has. */
export function instant(t: number): string {
    return String(Number(t.toPrecision(6))).replace("-", "−");
}
