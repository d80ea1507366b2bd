// SPDX-License-Identifier: Apache-2.0
// The page as carom report films it: the drawing alone, as large as the window, with the name, the time and the speed.
// window.caromFilm.show(time, rate) draws one picture, and the promise tells that it is there; follow(name) moves the camera.
import type { Report } from "./data";
import { element } from "./dom";
import { seconds } from "./format";
import { type Player, rateText } from "./player";
import { type OpenScene, Stage } from "./stage";

const drawn = (): Promise<void> => new Promise((tell) => { requestAnimationFrame(() => requestAnimationFrame(() => tell())); });

export function openFilm(app: HTMLElement, report: Report, player: Player, openScene: OpenScene): void {
    const stage = new Stage(report, player, openScene), clock = element("output"), speed = element("span");
    const length = player.whole.to - player.whole.from;
    document.documentElement.classList.add("film");
    app.replaceChildren(stage.root, element("p", { class: "caption" }, element("b", {}, report.runs[0]?.model ?? ""), clock, speed));
    stage.recolour();
    const show = async (time: number, rate: number): Promise<boolean> => {
        player.film(time, rate);
        clock.textContent = seconds(time, length);
        speed.textContent = rateText(rate);
        await drawn();
        return true;
    };
    const follow = (name: number[]): boolean => stage.follow(new TextDecoder().decode(Uint8Array.from(name))); // as UTF-8
    Object.assign(window, { caromFilm: { show, follow } });
}
