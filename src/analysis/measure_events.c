// SPDX-License-Identifier: Apache-2.0
// Measures of events: how many, and of the number-th one its time, gap rates, impulse and loss.
#include "analysis/gauge.h"

// the probe counts before it calls: n is the number of this event
static void note_event(carom_gauge *g, double value)
{
    if (g->n == g->asked->number) g->best = value;
}

void carom_gauge_count(carom_gauge *g, const carom_event *event)
{
    (void)g, (void)event;
}

double carom_gauge_count_value(const carom_gauge *g)
{
    return (double)g->n;
}

void carom_gauge_event_time(carom_gauge *g, const carom_event *event)
{
    note_event(g, event->t);
}

void carom_gauge_event_before(carom_gauge *g, const carom_event *event)
{
    note_event(g, event->rate_before);
}

void carom_gauge_event_after(carom_gauge *g, const carom_event *event)
{
    note_event(g, event->rate_after);
}

void carom_gauge_event_impulse(carom_gauge *g, const carom_event *event)
{
    note_event(g, event->P);
}

void carom_gauge_event_loss(carom_gauge *g, const carom_event *event)
{
    note_event(g, event->energy_lost);
}
