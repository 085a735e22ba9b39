import { describe, expect, test } from 'vitest'
import { avapLanguage } from './index.ts'
import { trace } from './testing/trace.ts'

describe('what is one statement', () => {
  test.each([
    '',
    ';',
    '// a comment "with a quote',
    '/// documentation',
    '/* a comment */',
    'addVar(a, 1);',
    'addVar (a, 1) ; // set',
    '\taddVar(a, 1)\t',
    '\u00a0addVar(a, 1)\u3000',
    'addVar(endpoint, https://api.example.com/users)',
    'addVar(accept, */*)',
    'addVar(glob, /api/*)',
    'addVar(a, /* , */ 1)',
    '/* first */ addVar(a, 1) /* last */',
    'addVar(sql, SELECT a, b FROM t)'.replace('a, b', '*'),
    'randomString([A-Z0-9], 8, token)',
    'getDateTime(%Y-%m-%d, 0, UTC, today)',
    String.raw`getRegex(text, \((\d+)\), found)`,
    String.raw`addVar(path, C:\)`,
    String.raw`addVar(path, 'C:\\')`,
    "addVar(html, \"<a href='x'>it's</a>\")",
    'añadido = "sí"',
    '変数 = 1',
    '$name = 1',
    '_status = 404',
    'users[0].name = "Ana"',
    'rows["a"]["b"] = [1, 2, 3]',
    'users = psql_connector.query("select 1")',
    'psql_connector.execute("delete from t").close()',
    'rows[0].append(1)',
    "name = users[0].name if users else 'N/A'",
    'text = "%s, %s" % (a, b)',
    'text = f"{a} and {b}" + r\'\\d\'',
    'text = "a" "b" \'c\'',
    'flag = not a and b is not None or c not in d',
    'n = -1 + +2 * ~3 ** 2 % 4 / .5 - 1.5e3',
    'n = (1 + 2) * len(a)',
    'n = a[1:2][0](b).c',
    'f = lambda a, b: a + b',
    'same = a == b',
    'f = lambda a=1: a',
    'n = 0xFF + 0b1 + 0o7 + 1_000 + 1e-5 + 2.5e+3 + 3j + 1.',
    'addVar(id, 4d6f)',
    'replace(price, ^\\$, , clean)',
    'variableFromJSON(data, $.name, x)',
    'pair = 1, 2',
    'both = {"a": {"b": [1, {"c": 2}]}}',
    'url = "https://example.com/a" // where',
    'return',
    'return a * 1.21',
    'return(a)',
    'return {"a": 1}',
    'exists = exception',
  ])('%s', (line) => {
    expect(trace(line)).toEqual([])
  })

  test('a comment may go on below, and holds anything', () => {
    expect(trace('/* one', 'for x in y: "', '} */ addVar(a, 1)', '/**', ' * end()', ' */', 'x = 1 /* on', 'off */')).toEqual([])
    expect(trace('x = "/*"', 'end()')).toHaveLength(1)
    expect(trace('x = 1 /* on', 'off */ end()')).toEqual(["Line 2: unexpected 'end()' — no block that it closes is open"])
    expect(trace('x = 1', 'y = 2 /* on', 'end()')).toEqual(["Line 2: '/*' not closed — expected '*/'"])
  })

  test.each([
    ['\r\n', 'CRLF'],
    ['\n', 'LF'],
    ['\r', 'CR'],
  ])('lines may end with %j', (end) => {
    expect(trace(['\ufeffaddVar(a, 1)', '', 'bogusCommandName(a)', 'x ='].join(end))).toEqual([
      "Line 3: unknown command 'bogusCommandName' — expected known identifier",
      "Line 4: 'x =' has no value — expected expression",
    ])
  })
})

describe('what is not', () => {
  test.each([
    ['addVar(a, "x)', 'unterminated string — expected closing " on the same line'],
    ["addVar(a, 'x)", "unterminated string — expected closing ' on the same line"],
    ["addVar(a, x')", "unterminated string — expected closing ' on the same line"],
    ['addVar(a, `x)', 'unterminated string — expected closing ` on the same line'],
    ['addVar(a, `x $'.concat('{b`)'), `unterminated '$\{' in a template — expected '}'`],
    [String.raw`x = "a\"`, 'unterminated string — expected closing " on the same line'],
    ['x = "a', 'unterminated string — expected closing " on the same line'],
    ['x = a"', 'unterminated string — expected closing " on the same line'],
    ['return "a', 'unterminated string — expected closing " on the same line'],
    ['c.query("a)', 'unterminated string — expected closing " on the same line'],
    ['x = """a', 'unterminated string — expected closing " on the same line'],
    ['x = “a”', "unexpected '“' — expected expression"],
    ['addResult(a', "'addResult(' not closed — expected ')' on the same line"],
    ['addResult((a)', "'addResult(' not closed — expected ')' on the same line"],
    ['x = [1, 2', "'[' not closed — expected ']' on the same line"],
    ['x = len(a', "'len(' not closed — expected ')' on the same line"],
    ['c.query("a"', "'c.query(' not closed — expected ')' on the same line"],
    ['addVar(a, [1)', "unexpected closing bracket — expected ']'"],
    ['addVar(a, 1]', "unexpected closing bracket — expected ')'"],
    ['addResult(a))', "unexpected text ')' after ')' — expected end of line"],
    ['addResult(a) a', "unexpected text 'a' after ')' — expected end of line"],
    ['addResult(a) addResult(b)', "unexpected text 'addResult(b)' after ')' — expected end of line"],
    ['addResult(a); addResult(b)', "unexpected text 'addResult(b)' — expected one statement per line"],
    ['c.query(a) b', "unexpected text 'b' after ')' — expected end of line"],
    ['x =', "'x =' has no value — expected expression"],
    ['x = ;', "'x =' has no value — expected expression"],
    ['x = // later', "'x =' has no value — expected expression"],
    ['x = # later', "'x =' has no value — expected expression"],
    ['rows[0] =', "'rows[0] =' has no value — expected expression"],
    ['x = 1 2', "unexpected text '2' — expected operator or end of line"],
    ['x = the total', "unexpected text 'total' — expected operator or end of line"],
    ['x = len(a) b', "unexpected text 'b' — expected operator or end of line"],
    ['x = [1 2]', "unexpected text '2' — expected operator or ','"],
    ['x = {"a" 1}', "unexpected text '1' — expected operator or ','"],
    ['return {"a": f(x) "b": [2]}', `unexpected text '"b"' — expected operator or ','`],
    ['x = [[1, 2], [a, b c]]', "unexpected text 'c' — expected operator or ','"],
    ['x = 1 +', "unexpected end of line after '+' — expected expression"],
    ['x = * 1', "unexpected '*' — expected expression"],
    ['x = a)', "unexpected ')' — no bracket is open"],
    ['a = b = 0', "unexpected '=' — expected one '=' per assignment"],
    ['return a = 1', "unexpected '=' — expected one '=' per assignment"],
    ['x = 1a', "unexpected number '1a' — expected digits without letters"],
    ['x = [1, 2b] + c', "unexpected number '2b' — expected digits without letters"],
    ['return {"a": 1.2.3}', "unexpected number '1.2.3' — expected digits without letters"],
    ['x = 0xZZ', "unexpected number '0xZZ' — expected digits without letters"],
    ['x = $', "'$' has no name — expected '$name'"],
    ['x = $ + 1', "'$' has no name — expected '$name'"],
    ['$ = 1', "'$' has no name — expected '$name'"],
    ['addResult($)', "'$' has no name — expected '$name'"],
    ['addVar(a, `x $'.concat('{ }`)'), `'$\{}' has no name — expected '$name'`],
    ['end = 5', "'end' is reserved — expected another name"],
    ['if = 1', "'if' is reserved — expected another name"],
    ['return = 1', "'return' is reserved — expected another name"],
    ['function = 1', "'function' is reserved — expected another name"],
    ['go_async[0] = 1', "'go_async' is reserved — expected another name"],
    ['exception = 1', "'exception' is reserved — expected another name"],
    ['function if(a) { return a }', "'if' is reserved — expected another name"],
    ['function f(a b) { return a }', "unexpected parameter 'a b' — expected one name"],
    ['function f(a.b) { return 1 }', "unexpected parameter 'a.b' — expected one name"],
    ['function f(a, ) { return a }', "unexpected parameter '' — expected one name"],
    ['function f(a, b=1) { return a }', "unexpected parameter 'b=1' — expected one name"],
    ['function f("a") { return 1 }', 'unexpected parameter \'"a"\' — expected one name'],
    ['function f(a, 9b) { return 1 }', "unexpected parameter '9b' — expected one name"],
    ['function f(1a) { return 1 }', "unexpected parameter '1a' — expected one name"],
    ['x = if(a, 1, =)', "unexpected construct 'x = if(...)' — AVAP statement required"],
    ['x == 1', "unexpected construct 'x == 1' — AVAP statement required"],
    ['a, b = 1, 2', "unexpected construct 'a, b = 1, 2' — AVAP statement required"],
    ['"text"', 'unexpected construct \'"text"\' — AVAP statement required'],
  ])('%s', (line, message) => {
    expect(trace(line)).toEqual([`Line 1: ${message}`])
  })

  test('every fault of a program is reported, in the order of its lines', () => {
    expect(trace('if(a, 1, =)', 'x =', 'readParam(a, b)', 'y = "a', 'addVar(a)', 'endLoop()')).toEqual([
      "Line 2: 'x =' has no value — expected expression",
      "Line 3: 'readParam' not defined — did you mean 'addParam'?",
      'Line 4: unterminated string — expected closing " on the same line',
      "Line 5: wrong number of arguments for 'addVar' — expected 2, found 1",
      "Line 6: unexpected 'endLoop()' — 'if(...)' of line 1 closes with 'end()'",
    ])
  })

  test('places count in UTF-16 units, and end behind the fault', async () => {
    const parse = await avapLanguage().load()
    expect(parse('\t😀 = 1 2 // 😀')).toMatchObject([{ line: 1, column: 9, endLine: 1, endColumn: 10 }])
    expect(parse('x = 1\n  addResult(a, "b")')).toMatchObject([{ line: 2, column: 3, endLine: 2, endColumn: 20 }])
  })
})

test.each([
  'x = ["a" "b", f"c", -1.5, .5, not a, a if b else c, *d, a.b[c d], f(any text), (p q)]',
  'x = {"a": [1, {"b": c[0]["d"]}], "k": lambda y: y + 1, **z}',
  'x = [i for i in range(3) if i not in z and i is None]',
  'x = {a: b for a, b in c.items()}',
  'x = ["a // b", 1e5, 0xFF, a[1:2], "%s" % c]',
])('a list or dictionary is right: %s', (line) => {
  expect(trace(line)).toEqual([])
})
