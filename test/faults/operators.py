# SPDX-License-Identifier: MIT
"""Mistakes, as operators on the syntax tree of a function.

A mistake is written FUNCTION: OPERATOR [ARGUMENT...] [at NAME...] [#NUMBER].
The operator changes the innermost place in the function that it fits and that
mentions all the names; if there are several, the number says which, from 1 on.
So nothing depends on the lines of the function, nor on its layout.
"""
import collections
import ctypes
import functools
import os
import pathlib
import re
import shlex

from clang import cindex
from clang.cindex import CursorKind as Kind

# Its parts, if it is more than one change in one text.
Edit = collections.namedtuple('Edit', 'path start end text parts',
                              defaults=((),))

RELAX = {'<': '<=', '<=': '<', '>': '>=', '>=': '>'}
OTHER = {'+': '-', '-': '+', '*': '/', '/': '*', '%': '/', '<<': '>>',
         '>>': '<<', '&': '|', '|': '&', '^': '&', '&&': '||', '||': '&&',
         '==': '!=', '!=': '==', '+=': '-=', '-=': '+=', '++': '--',
         '--': '++', '|=': '&=', '&=': '|=', '*=': '/=', '/=': '*='}
SET = dict.fromkeys(('+=', '-=', '|=', '&=', '*=', '/=', '%='), '=')
BLOCKS = (Kind.IF_STMT, Kind.WHILE_STMT, Kind.FOR_STMT, Kind.SWITCH_STMT,
          Kind.COMPOUND_STMT)
JUMPS = (Kind.RETURN_STMT, Kind.BREAK_STMT, Kind.CONTINUE_STMT,
         Kind.GOTO_STMT)
LABELS = (Kind.CASE_STMT, Kind.DEFAULT_STMT, Kind.LABEL_STMT)
BITS = {f'{sign}{name}': bits for sign in ('', 'U')
        for name, bits in (('SHORT', 16), ('INT', 32), ('LONG', 64),
                           ('LONGLONG', 64))}
# Their first two may change places.
COMMUTES = ('strcmp', 'strncmp', 'memcmp', 'is_same_key', 'pthread_equal')
WEAKER = re.compile(r'(JIF_\w+\(.*), (?:SEQ_CST|ACQUIRE|RELEASE)\)', re.S)
ADDRESSES = (cindex.TypeKind.POINTER, cindex.TypeKind.CONSTANTARRAY)


class Mistake(Exception):
    """The mistake in a fault."""


def offset(location):
    """Where it is in its file; what a macro is given is where it stands."""
    at = ctypes.c_uint()
    cindex.conf.lib.clang_getFileLocation(location, None, None, None,
                                          ctypes.byref(at))
    return at.value


@functools.cache
def source_of(path):
    return path.read_text(encoding='latin-1')


class Node:
    """A place in the syntax tree; it and all below it go to a list."""

    def __init__(self, cursor, path, parent, nodes):
        below = list(cursor.get_children())
        while cursor.kind == Kind.UNEXPOSED_EXPR and len(below) == 1:
            cursor = below[0]
            below = list(cursor.get_children())
        self.kind, self.path, self.parent = cursor.kind, path, parent
        kind = cursor.type.get_canonical().kind
        self.type, self.address = kind.name, kind in ADDRESSES
        self.bits = BITS.get(kind.name, 0)
        self.line = cursor.extent.start.line
        self.start = offset(cursor.extent.start)
        self.end = offset(cursor.extent.end)
        source = source_of(path)
        self.text = source[self.start:self.end]
        self.before = source[parent.start:self.start].rstrip() if parent else ''
        nodes.append(self)
        self.children = [Node(child, path, self, nodes) for child in below]

    def condition(self):
        parent = self.parent
        if not parent or self not in parent.children:
            return False
        if parent.kind == Kind.FOR_STMT:
            return self.before.count(';') == 1 and \
                self is not parent.children[-1]
        return self is parent.children[parent.kind == Kind.DO_STMT] and \
            parent.kind in (Kind.IF_STMT, Kind.WHILE_STMT, Kind.DO_STMT,
                            Kind.CONDITIONAL_OPERATOR)

    def is_whole(self):
        return self.end > self.start and \
            self.text.count('(') == self.text.count(')') and \
            re.search(r'([^-+*/%&|^<>=!,\s]|\+\+|--)$', self.text)

    def ends_function(self):
        """The last return of a value: without it, the value is undefined."""
        body = self.parent
        return self.kind == Kind.RETURN_STMT and self.children and \
            self is body.children[-1] and not body.parent.parent

    def statement(self):
        if not self.parent or self.condition() or \
                self.kind in (Kind.DECL_STMT, Kind.NULL_STMT, *LABELS) or \
                self.ends_function():
            return False
        return self.parent.kind == Kind.COMPOUND_STMT or \
            self.parent.kind in LABELS and \
            self is self.parent.children[-1] or \
            self.parent.kind in BLOCKS and self.before.endswith((')', 'else'))

    def value(self):
        """The right side of an assignment or an initialisation."""
        return re.search(r'[^=!<>]=$', self.before)

    def expression(self):
        return self.kind.is_expression()

    def result(self):
        return self.parent and self.parent.kind == Kind.RETURN_STMT

    def number(self):
        """Not the compiler's own names, such as those of memory orders."""
        return self.kind == Kind.INTEGER_LITERAL and self.text[:2] != '__'

    def parts(self):
        """Left side, sign and right side of what has a sign."""
        sides = self.children
        if len(sides) == 2 and 'OPERATOR' in self.kind.name and \
                sides[0].start == self.start and sides[1].end == self.end:
            sign = sides[1].before[len(sides[0].text):]
            return sides[0].text, sign.strip(), sides[1].text
        match = self.kind == Kind.UNARY_OPERATOR and \
            re.fullmatch(r'(.*?)(\+\+|--)(.*)', self.text, re.S)
        return match.groups() if match and not all(match.groups()) else \
            ('', '', '')

    def mentions(self, names):
        text = self.parent.text if self.value() else self.text
        return set(names) <= set(re.findall(r'\w+', text))

    def instead(self, text):
        """Statements in its place; the semicolon behind it stays."""
        return f'{{ {text} }}' if self.kind in BLOCKS else \
            f'do {{ {text} }} while (0)'


def sign(table):
    def change(node):
        left, here, right = node.parts()
        return here in table and f'{left} {table[here]} {right}'
    return change


def side(index):
    """One side alone, but for the difference of two addresses."""
    def change(node):
        return node.parts()[1] in OTHER and all(node.parts()) and \
            '=' not in node.parts()[1] and \
            not (node.parts()[1] == '-' and node.children[0].address) and \
            node.parts()[index]
    return change


def swap(node):
    """The branches of an if or of a conditional expression."""
    if len(node.children) < 3 or \
            node.kind not in (Kind.IF_STMT, Kind.CONDITIONAL_OPERATOR) or \
            not re.search(r'\bif\b|\?', node.text):
        return None
    _, yes, no = node.children
    between = node.text[yes.end - node.start:no.start - node.start]
    return f'{yes.before} {no.text}{between} {yes.text}'


def becomes(template, fits):
    def change(node):
        text = template.replace('{}', node.text)
        return fits(node) and (node.instead(text) if ';' in template else text)
    return change


def arguments(first):
    """Two neighbours of one type, in each other's place."""
    def change(node):
        if node.kind != Kind.CALL_EXPR or len(node.children) < first + 2:
            return None
        here, there = node.children[first:first + 2]
        if here.type != there.type or not here.text or not there.text or \
                node.children[0].text in COMMUTES:
            return None
        begin, end = here.start - node.start, there.start - node.start
        return node.text[:begin] + there.text + \
            node.text[begin + len(here.text):end] + here.text + \
            node.text[end + len(there.text):]
    return change


def narrow(node):
    """Half the bits of what is assigned or returned."""
    sign = 'u' if node.type[:1] == 'U' else ''
    return node.bits and node.expression() and not node.number() and \
        (node.value() or node.result()) and \
        f'({sign}int{node.bits // 2}_t)({node.text})'


def weaken(node):
    """The order of an access to memory that others see."""
    match = node.expression() and WEAKER.fullmatch(node.text)
    return match and f'{match[1]}, RELAXED)'


# All these make the mutants; and those that a table asks for by `more`.
PLAIN = {
    'relax': sign(RELAX), 'other': sign(OTHER), 'set': sign(SET),
    'left': side(0), 'right': side(2), 'swap': swap,
    'delete': becomes(';', Node.statement),
    'negate': becomes('!({})', Node.condition),
    'never': becomes('0', Node.condition),
    'always': becomes('1', Node.condition),
    'plus': becomes('({} + 1)', Node.number),
    'minus': becomes('({} - 1)', Node.number),
}

MORE = {'arguments': arguments(1), 'others': arguments(2), 'narrow': narrow,
        'weaken': weaken}

# With a text as argument, in which {} is what was there.
WITH_TEXT = {
    'expression': ('%s', Node.expression), 'value': ('%s', Node.value),
    'condition': ('%s', Node.condition),
    'call': ('%s', lambda node: node.kind == Kind.CALL_EXPR),
    'before': ('%s; {};', Node.statement), 'after': ('{}; %s;', Node.statement),
}


def functions(sources, flags, folder):
    """The nodes of those that are defined below a folder; of what is included
    under several names, the first."""
    found = {}
    names = {}
    for source in sources:
        unit = cindex.Index.create().parse(source, args=flags)
        for error in unit.diagnostics:
            if error.severity >= cindex.Diagnostic.Error:
                raise Mistake(f'{source}: {error}')
        for cursor in unit.cursor.get_children():
            path = pathlib.Path(os.path.normpath(str(cursor.location.file)))
            if cursor.kind == Kind.FUNCTION_DECL and cursor.is_definition() \
                    and str(path).startswith(folder):
                begin = path, cursor.extent.start.offset
                if names.setdefault(begin, cursor.spelling) != cursor.spelling:
                    continue
                nodes = found.setdefault(cursor.spelling, [])
                if nodes and nodes[0].path != path:
                    raise Mistake(f'{cursor.spelling} is in {path}, too')
                if not nodes:
                    Node(cursor, path, None, nodes)
    return found


def places(nodes, change):
    """The changes, each with its place. Macros hide where a node ends, and what
    stands for a whole statement is no expression.
    """
    found = {}
    macros = {(node.start, node.end) for node in nodes
              if node.kind == Kind.DO_STMT and not node.text.startswith('do')}
    for node in nodes:
        text = node.is_whole() and (
            node.kind == Kind.DO_STMT or
            (node.start, node.end) not in macros) and change(node)
        if text and text != node.text:
            found.setdefault((node.start, node.end), (node, text))
    return list(found.values())


def edit_of(row, known):
    """What a mistake changes."""
    name, _, rest = row.partition(':')
    verb, *words = shlex.split(rest)
    number = int(words.pop()[1:]) if words and words[-1][0] == '#' else 0
    if name not in known or verb not in {*PLAIN, *WITH_TEXT, 'rename'}:
        raise Mistake(f'{row}: there is no such function or operator')
    if verb in PLAIN:
        change = PLAIN[verb]
    elif verb == 'rename':
        old, new = words.pop(0), words.pop(0)
        change = becomes(new, lambda node: node.text == old)
    else:
        frame, fits = WITH_TEXT[verb]
        change = becomes(frame.replace('%s', words.pop(0)), fits)
    found = [(node, text) for node, text in places(known[name], change)
             if node.mentions(words[1:])]
    found = [(a, text) for a, text in found
             if not any(a is not b and a.start <= b.start and b.end <= a.end
                        for b, _ in found)]
    if not found or number > len(found) or len(found) > 1 and not number:
        raise Mistake('\n'.join(
            [f'{row}: it fits {len(found)} places'] +
            [f'#{at}: {node.text}' for at, (node, _) in enumerate(found, 1)]))
    node, text = found[max(number, 1) - 1]
    return Edit(node.path, node.start, node.end, text)


def independent(a, b):
    """Two assignments, of which neither has to do with the other."""
    (to, sign_a, value), (also, sign_b, other) = a.parts(), b.parts()
    return sign_a == sign_b == '=' and '(' not in value + other and \
        to not in b.text and also not in a.text


def neighbours(nodes):
    """Two statements that follow each other, each in the other's place."""
    whole = {id(node) for node, _ in places(nodes, lambda _: 'any')}
    for block in nodes:
        if block.kind != Kind.COMPOUND_STMT:
            continue
        for a, b in zip(block.children, block.children[1:]):
            if not {a.kind, b.kind} & set(JUMPS) and a.text != b.text and \
                    not independent(a, b) and \
                    all(it.statement() and id(it) in whole for it in (a, b)):
                between = source_of(a.path)[a.end:b.start]
                parts = (Edit(a.path, a.start, a.end, a.instead(b.text + ';')),
                         Edit(b.path, b.start, b.end, b.instead(a.text + ';')))
                yield a, Edit(a.path, a.start, b.end, parts[0].text + between +
                              parts[1].text, parts)


def mutants(name, nodes, more=False):
    """All that the operators without an argument do to a function: where, what
    and the edit. What is there again gets a number.
    """
    seen = collections.Counter()
    found = [(verb, node, Edit(node.path, node.start, node.end, text))
             for verb, change in {**PLAIN, **(MORE if more else {})}.items()
             for node, text in places(nodes, change)]
    if more:
        found += [('exchange', *pair) for pair in neighbours(nodes)]
    for verb, node, edit in found:
        what = f'{name}: {verb} {" ".join(node.text.split())}'
        seen[what] += 1
        if seen[what] > 1:
            what += f' #{seen[what]}'
        yield f'{node.path}:{node.line}', what, edit
