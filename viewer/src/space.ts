// SPDX-License-Identifier: Apache-2.0
// The page of models in space: it carries a scene that can be turned.
import { openPage } from "./main";
import { SpaceView } from "./space/view";

openPage(SpaceView.open);
