// SPDX-License-Identifier: Apache-2.0
// Models of several files through the command: installed parts, changes, checkpoints, pages, and
// files that want too much.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "cli/json_reader.h"
#include "cli/shell.h"

// AddressSanitizer reserves more addresses than any limit would leave it
#if defined(__SANITIZE_ADDRESS__)
#define LIMIT_OF_MEMORY ""
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define LIMIT_OF_MEMORY ""
#endif
#endif
#ifndef LIMIT_OF_MEMORY
#define LIMIT_OF_MEMORY "ulimit -v 2000000; "
#endif

static const char user[] = "carom: 1\n"
                           "include: [lib/ball.yaml]\n"
                           "contacts:\n"
                           "  - {name: floor, gap: y, restitution: 0.5}\n"
                           "draw:\n"
                           "  - {disc: [0, y], radius: 0.1}\n"
                           "run: {scheme: moreau_midpoint, step: 1e-3, end: 0.5}\n";
static const char part[] = "carom: 1\n"
                           "parameters: {m: 1, gravity: 9.81, height: 1}\n"
                           "coordinates: {y: {start: height}}\n"
                           "kinetic: m/2*der(y)^2\n"
                           "potential: m*gravity*y\n";

static int start(void **state)
{
    const int failed = shell_start(state);
    shell *s = *state;
    unsetenv("CAROM_PARTS");
    if (failed || shell_run(s, "mkdir -p here/lib elsewhere") != 0) return -1;
    shell_write(s, "here/user.yaml", user);
    shell_write(s, "here/lib/ball.yaml", part);
    return 0;
}

// speed m R^2/(J + m R^2) of the start, whatever mu and g are, and from then on no slip
static void the_installed_wheel_slides_until_it_rolls(void **state)
{
    shell *s = *state;
    static const struct {
        const char *changes;
        double speed;
    } run[] = {
        {"", 2},
        {"--set wheel_friction=0.7 --set gravity=1.62 --end 3", 2},
        {"--set wheel_inertia=wheel_mass*wheel_radius^2 --set wheel_radius=0.3", 1.5},
        {"--set wheel_speed=1 --set wheel_mass=9 --scheme event_driven --tolerance 1e-9", 2. / 3},
    };
    for (size_t i = 0; i < sizeof run / sizeof run[0]; i++) {
        assert_int_equal(shell_run(s,
                                   "\"$CAROM\" run " CAROM_SOURCE_DIR
                                   "/models/bowled-wheel.yaml -q --json - %s",
                                   run[i].changes),
                         0);
        const double speed = json_double(s->out, "u.wheel_x");
        if (!(fabs(speed - run[i].speed) < 1e-9)) fail_msg("%s: %.17g", run[i].changes, speed);
    }
}

static void every_command_takes_a_model_of_several_files(void **state)
{
    shell *s = *state;
    static const char *const command[] = {
        "check here/user.yaml", "export here/user.yaml",
        "compare here/user.yaml --schemes moreau_midpoint,moreau_jean_explicit",
        "converge here/user.yaml --schemes moreau_midpoint --steps 1e-2,5e-3 --norm end",
        "run here/user.yaml --set height=2 --start 'y=height/4' --set m=3"};
    for (size_t i = 0; i < sizeof command / sizeof command[0]; i++)
        if (shell_run(s, "\"$CAROM\" %s", command[i]) != 0) fail_msg("%s: %s", command[i], s->err);
    assert_int_equal(shell_run(s, "\"$CAROM\" check here/user.yaml --set height=2 --set m=3"), 0);
    assert_non_null(strstr(s->out, "energy         58.86 J"));
    // from its own folder, and from elsewhere
    assert_int_equal(shell_run(s, "cd here && \"$CAROM\" run user.yaml -q"), 0);
    assert_int_equal(shell_run(s, "CAROM_MODELS=$PWD/here \"$CAROM\" run user -q"), 0);
    shell_write(s, "here/lib/ball.yaml", "carom: 1\nkinetic: n*der(y)^2\n");
    assert_int_equal(shell_run(s, "\"$CAROM\" run here/user.yaml -q"), 2);
    assert_int_equal(shell_lines(s->err), 1);
    shell_write(s, "here/lib/ball.yaml", part);
}

static void a_checkpoint_knows_the_files_of_its_model(void **state)
{
    shell *s = *state;
    assert_int_equal(shell_run(s, "\"$CAROM\" run here/user.yaml -q --end 0.2 --checkpoint cp"), 0);
    assert_int_equal(shell_run(s, "\"$CAROM\" run here/user.yaml -q --restart cp --json -"), 0);
    char first[64];
    snprintf(first, sizeof first, "%.17g", json_double(s->out, "q.y"));
    assert_int_equal(shell_run(s, "\"$CAROM\" run here/user.yaml -q --json -"), 0);
    char whole[64];
    snprintf(whole, sizeof whole, "%.17g", json_double(s->out, "q.y"));
    assert_string_equal(first, whole);
    shell_run(s, "sed -i 's/9.81/9.82/' here/lib/ball.yaml");
    assert_int_equal(shell_run(s, "\"$CAROM\" run here/user.yaml -q --restart cp"), 2);
    assert_non_null(strstr(s->err, "fingerprint of equations, parameters and start"));
    shell_write(s, "here/lib/ball.yaml", part);
}

static void a_page_draws_the_model_that_ran_and_tells_no_folders(void **state)
{
    shell *s = *state;
    assert_int_equal(shell_run(s, "\"$CAROM\" run here/user.yaml -q -o r.h5 && "
                                  "\"$CAROM\" report r.h5 -o page.html"),
                     0);
    assert_string_equal(s->err, "");
    assert_int_equal(shell_run(s, "grep -q '\"drawing\":{' page.html && ! grep -q $PWD page.html"),
                     0);
    // other numbers in a file that is included: another model
    shell_run(s, "sed -i 's/{m: 1/{m: 2/' here/lib/ball.yaml; \"$CAROM\" report r.h5 -o page.html");
    assert_non_null(strstr(s->err, "no longer what they were in the run"));
    assert_int_equal(shell_run(s, "! grep -q '\"drawing\":{' page.html"), 0);
    shell_run(s, "mv here/user.yaml here/moved.yaml; \"$CAROM\" report r.h5 -o page.html");
    assert_non_null(strstr(s->err, "is gone, or no longer the file it was"));
    assert_int_equal(shell_run(s, "grep -q 'could not be made again' page.html && "
                                  "! grep -q $PWD page.html"),
                     0);
    shell_run(s, "mv here/moved.yaml here/user.yaml");
    shell_write(s, "here/lib/ball.yaml", part);
}

static void files_that_want_too_much_are_refused(void **state)
{
    shell *s = *state;
    shell_run(s, "cd here; cp lib/ball.yaml ../elsewhere; ln -s ../elsewhere/ball.yaml link.yaml; "
                 "mkfifo pipe.yaml; truncate -s 10G huge.yaml; "
                 "ln -s /dev/zero zero.yaml; printf '\\0\\1' >binary.yaml; "
                 "printf 'carom: 1\\ninclude: [b.yaml]\\n' >a.yaml; "
                 "printf 'carom: 1\\ninclude: [a.yaml]\\n' >b.yaml; "
                 "for i in $(seq 0 120); do "
                 "printf 'carom: 1\\ninclude: [n%%d.yaml]\\n' $((i + 1)) >n$i.yaml; "
                 "printf 'carom: 1\\n' >w$i.yaml; done");
    static const struct {
        const char *named, *options, *message;
    } bad[] = {
        {"a.yaml", "",
         "here/b.yaml:2:11: 'a.yaml' is included by itself: here/a.yaml -> here/b.yaml"},
        {"m.yaml", "", "here/m.yaml:2:11: 'm.yaml' is included by itself"},
        {"../elsewhere/ball.yaml", "",
         "here/m.yaml:2:11: '../elsewhere/ball.yaml' lies outside 'here'"},
        {"/etc/passwd", "", "a model reads no files from elsewhere"},
        {"link.yaml", "", "'link.yaml' lies outside 'here'"},
        {"link.yaml", "--allow-path lib", "is no folder"},
        {"pipe.yaml", "", "is not an ordinary file"},
        {"zero.yaml", "--allow-path /dev", "is not an ordinary file"},
        {"huge.yaml", "", "--limit model_bytes=N"},
        {"binary.yaml", "", "here/binary.yaml:1:1: control character 0x00"},
        {"n0.yaml", "", "--limit include_levels=N"},
        {"n0.yaml", "--limit include_levels=none", "--limit included_files=N"},
        {"carom:none.yaml", "", "cannot be opened"},
        {"carom:../models/pendulum.yaml", "", "lies outside the folder of installed parts"},
        {"user.yaml", "", "here/user.yaml:7:1: an included file does not say how the model is run"},
        {"lib", "", "is a folder, not a file"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char text[300];
        snprintf(text, sizeof text,
                 "carom: 1\ninclude: [%s]\ncoordinates: {z: {}}\nkinetic: der(z)^2\n"
                 "run: {step: 1, end: 1}\n",
                 bad[i].named);
        shell_write(s, "here/m.yaml", text);
        const int code = shell_run(
            s, "ulimit -t 10; " LIMIT_OF_MEMORY "\"$CAROM\" run here/m.yaml -q %s", bad[i].options);
        if (code != 2 || shell_lines(s->err) != 1 || !strstr(s->err, bad[i].message))
            fail_msg("%s %s: exit code %d, %s", bad[i].named, bad[i].options, code, s->err);
    }
    // with the user's word
    shell_write(s, "here/m.yaml", "carom: 1\ninclude: [link.yaml]\nrun: {step: 1e-2, end: 0.1}\n");
    assert_int_equal(shell_run(s, "\"$CAROM\" run here/m.yaml -q --allow-path elsewhere"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_installed_wheel_slides_until_it_rolls),
        cmocka_unit_test(every_command_takes_a_model_of_several_files),
        cmocka_unit_test(a_checkpoint_knows_the_files_of_its_model),
        cmocka_unit_test(a_page_draws_the_model_that_ran_and_tells_no_folders),
        cmocka_unit_test(files_that_want_too_much_are_refused),
    };
    return cmocka_run_group_tests(tests, start, shell_end);
}
