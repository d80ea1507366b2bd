// SPDX-License-Identifier: Apache-2.0
// The page of models in the plane.
import { openPage } from "./main";

openPage(null);
