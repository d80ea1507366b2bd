// SPDX-License-Identifier: Apache-2.0
// Colours of the style sheet and of model files, for the scene.
import { Color, SRGBColorSpace } from "three";
import { colour } from "../dom";
import { rgbOf } from "../matter";

const canvas = document.createElement("canvas").getContext("2d");

/** Any colour of CSS; what is none is grey. */
export function inkOf(text: string): Color {
    const [r, g, b] = canvas ? rgbOf(canvas, text) : [128, 128, 128];
    return new Color().setRGB(r / 255, g / 255, b / 255, SRGBColorSpace);
}
export const ink = (name: string): Color => inkOf(colour(name));
