// SPDX-License-Identifier: Apache-2.0
// A slider for each parameter of the model that is a plain number. The text stays as it is: what is moved goes to the
// run as --set NAME=VALUE.
import { button, element } from "../viewer/src/dom";
import { parametersOf, rangeOf, type Parameter } from "./model";

export type Values = Record<string, number>;
const short = (x: number): string => String(Number(x.toPrecision(4))).replace("-", "−");

export class Sliders {
    readonly root = element("section", { class: "card", "aria-label": "Parameters" });
    private readonly list = element("div", { class: "sliders" });
    private shown = "";
    /** those that are not as the text has them */
    values: Values = {};

    constructor(private readonly change: () => void) {
        this.root.append(element("div", { class: "sliders-head" }, element("h2", {}, "Parameters"),
            button("as in the text", "all sliders back to the numbers of the text", () => this.reset(), "small")), this.list);
    }

    /** Sliders of another text; values of parameters that it has stay. */
    show(text: string, values: Values = this.values): void {
        const parameters = parametersOf(text), key = JSON.stringify(parameters);
        const names = new Set(parameters.map((p) => p.name));
        this.values = Object.fromEntries(Object.entries(values).filter(([name, x]) => names.has(name) && Number.isFinite(x)));
        if (key === this.shown && values === this.values) return;
        this.shown = key;
        this.root.hidden = parameters.length === 0;
        this.list.replaceChildren(...parameters.map((p) => this.slider(p)));
    }

    words(): string[] {
        return Object.entries(this.values).flatMap(([name, x]) => ["--set", `${name}=${x}`]);
    }

    private reset(): void {
        if (Object.keys(this.values).length === 0) return;
        this.values = {};
        for (const input of this.list.querySelectorAll("input")) {
            input.value = input.defaultValue;
            input.dispatchEvent(new Event("refresh"));
        }
        this.change();
    }

    private slider(p: Parameter): HTMLElement {
        const { low, high, step } = rangeOf(p.value), now = this.values[p.name] ?? p.value;
        const input = element("input", { type: "range", min: String(Math.min(low, now)), max: String(Math.max(high, now)), step: "any",
            value: String(p.value), "aria-label": p.name });
        const output = element("output", {}), row = element("label", { class: "slider", title: p.about },
            element("span", {}, p.name), input, output);
        input.value = String(now);
        const refresh = (): void => {
            const x = this.values[p.name];
            output.textContent = short(x ?? p.value);
            row.classList.toggle("moved", x !== undefined);
        };
        input.addEventListener("refresh", refresh);
        input.addEventListener("input", () => {
            // to the next mark, as far as there are marks
            const x = Number((Math.round((Number(input.value) - p.value) / step) * step + p.value).toPrecision(4));
            if (x === p.value) delete this.values[p.name];
            else this.values[p.name] = x;
            refresh();
            this.change();
        });
        refresh();
        return row;
    }
}
