// SPDX-License-Identifier: Apache-2.0
// Carom: mechanical systems that hit, stick, slip and separate. This header includes the whole
// public interface.
#ifndef CAROM_CAROM_H
#define CAROM_CAROM_H

#include "carom/analysis.h"
#include "carom/base.h"
#include "carom/bodies.h"
#include "carom/contact.h"
#include "carom/contact_file.h"
#include "carom/elastic.h"
#include "carom/extend.h"
#include "carom/limits.h"
#include "carom/measure.h"
#include "carom/model.h"
#include "carom/modelfile.h"
#include "carom/output.h"
#include "carom/plot.h"
#include "carom/report.h"
#include "carom/reproduce.h"
#include "carom/shapes.h"
#include "carom/sim.h"
#include "carom/study.h"

#endif
