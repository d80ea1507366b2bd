# SPDX-License-Identifier: Apache-2.0
# Writes one C function for each CAROM_API function of the public headers: it calls that function once with all that it
# needs, then with each pointer NULL in turn, each text absent, and each number out of its range. What is a valid value
# for an argument stands in walk_values.h as VALID_<function>_<argument> or VALID_<type>; a type that is not known there is
# an error, so that no function can be forgotten. Functions with an open list of arguments are left out.
# Usage: awk -f walk.awk walk_values.h include/carom/*.h
FILENAME ~ /walk_values\.h$/ {
    if ($1 == "#define") { name = $2; sub(/\(.*/, "", name); known[name] = 1 }
    next
}
/^[ \t]*#/ { next }
{
    sub(/\/\/.*/, "")
    if (!inside && $0 !~ /CAROM_API/) next
    inside = 1
    text = text " " $0
    if ($0 ~ /;/) { take(text); text = ""; inside = 0 }
}

function trim(s) { gsub(/^[ \t]+|[ \t]+$/, "", s); return s }

# "const char *const *" is char_ptr_ptr
function key(type) {
    gsub(/const|struct/, "", type)
    gsub(/\*/, " ptr", type)
    type = trim(type)
    gsub(/[ \t]+/, "_", type)
    return type
}

function valid(i,   own, general) {
    own = "VALID_" fn "_" arg[i]
    general = "VALID_" key(type[i])
    if (own in known) return own "(r)"
    if (general in known) return general "(r)"
    print "#error \"walk_values.h has no " own " and no " general "\""
    return "0"
}

# the call with something else as argument k
function call(k, instead,   i, s) {
    s = ""
    for (i = 1; i <= n; i++) s = s (i > 1 ? ", " : "") (i == k ? instead : valid(i))
    return fn "(" s ")"
}

function emit(what, k, instead, check) {
    printf "    {\n        walk_rig rig, *r = &rig;\n        walk_open(r, \"%s\");\n", what
    if (result == "void") printf "        %s;\n", call(k, instead)
    else printf "        %s got = %s;\n        %s;\n", result, call(k, instead), check
    print "        walk_close(r);\n    }"
}

# what is returned where an argument is wrong
function refusal(what) {
    if (result == "carom_status") return "walk_is_bug(r, got, " (has_error ? "\"" what "\"" : "NULL") ")"
    if (result ~ /char \*$/) return "walk_no_text(r, got)"
    if (result ~ /\*$/) return "walk_null(r, got)"
    if (result == "double") return "walk_nan(r, got)"
    return "(void)got"
}

function take(proto,   open, list, parts, i, head, p) {
    sub(/.*CAROM_API/, "", proto)
    if (proto ~ /\.\.\./) return
    gsub(/__attribute__.*/, "", proto)
    open = index(proto, "(")
    head = trim(substr(proto, 1, open - 1))
    list = trim(substr(proto, open + 1))
    sub(/\)[ \t]*;?[ \t]*$/, "", list)
    match(head, /carom_[a-z0-9_]*$/)
    fn = substr(head, RSTART)
    result = trim(substr(head, 1, RSTART - 1))
    sub(/^const /, "", result)
    if (result ~ /\*$/ && head ~ /^const/) result = "const " result
    n = trim(list) == "void" ? 0 : split(list, parts, ",")
    has_error = 0
    for (i = 1; i <= n; i++) {
        p = trim(parts[i])
        match(p, /[A-Za-z0-9_]+$/)
        arg[i] = substr(p, RSTART)
        type[i] = trim(substr(p, 1, RSTART - 1))
        if (type[i] ~ /^carom_error \*$/) has_error = 1
    }
    functions[++n_function] = fn
    print "static void walk_" fn "(void)\n{"
    if (fn !~ /_free$/ && !(("SKIP_" fn) in known))
        emit(fn ", all given", 0, "", result == "carom_status" ? "walk_is_good(r, got)" : "(void)got")
    for (i = 1; i <= n; i++) wrong(i)
    print "}\n"
}

function wrong(i,   optional, what, how, value, many, v) {
    optional = arg[i] == "error" || (("OPTIONAL_" fn "_" arg[i]) in known)
    what = fn ", " arg[i]
    if (type[i] ~ /\*$/) {
        emit(what " is NULL", i, "NULL", optional ? "(void)got" : refusal(arg[i] " is NULL"))
    } else if (type[i] ~ /carom_text$/) {
        emit(what " has no text", i, "(carom_text){0}", optional ? "(void)got" : refusal(arg[i] ".text is NULL"))
    } else if (type[i] ~ /^(int|long)$/ && arg[i] ~ /^n$|^n_|^max_/) {
        emit(what " = -1", i, "-1", refusal(arg[i] " is -1"))
        emit(what " = INT_MIN", i, "INT_MIN", refusal(arg[i] " is "))
    } else if (type[i] ~ /^(int|long|unsigned)$/) {
        # there are less than nine of anything in the rig: one of these is the first that is not there
        many = split("-1 INT_MIN INT_MAX 1 2 3 4 5 6 7 8 9", value, " ")
        for (v = 1; v <= many; v++)
            emit(what " = " value[v], i, "(" type[i] ")" value[v], v > 3 || result == "carom_status" ? "(void)got" : refusal(""))
    } else if (("ENUM_" key(type[i])) in known) {
        emit(what " = 99", i, "(" type[i] ")99", "(void)got")
        emit(what " = -1", i, "(" type[i] ")-1", "(void)got")
    }
}

END {
    print "static const struct {\n    const char *name;\n    void (*walk)(void);\n} walks[] = {"
    for (i = 1; i <= n_function; i++) print "    {\"" functions[i] "\", walk_" functions[i] "},"
    print "};"
}
