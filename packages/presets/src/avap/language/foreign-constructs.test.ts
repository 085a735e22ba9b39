import { describe, expect, test } from 'vitest'
import { trace } from './testing/trace.ts'

describe('a line of another language', () => {
  test.each([
    ['for i in range(10):', "unexpected construct 'for i in range(...)' — AVAP loop syntax required"],
    ['for (let i = 0; i < items.length; i++) {', "unexpected construct 'for (...)' — AVAP loop syntax required"],
    ['for _, item := range items {', "unexpected construct 'for _, item := range items' — AVAP loop syntax required"],
    ['foreach ($rows as $row) {', "unexpected construct 'foreach (...)' — AVAP loop syntax required"],
    ['while(n < 10)', "unexpected construct 'while(...)' — AVAP loop syntax required"],
    ['while True:', "unexpected construct 'while True' — AVAP loop syntax required"],
    ['do {', "unexpected construct 'do' — AVAP loop syntax required"],
    ['FOR EACH row IN rows LOOP', "unexpected construct 'FOR EACH row IN rows LOOP' — AVAP loop syntax required"],
    ['if (balance > 10) {', "unexpected construct 'if (...)' — AVAP condition syntax required"],
    ['if balance > 10:', "unexpected construct 'if balance > 10' — AVAP condition syntax required"],
    ['if err != nil {', "unexpected construct 'if err != nil' — AVAP condition syntax required"],
    ['if [ "$n" -gt 1 ]; then', 'unexpected construct \'if [ "$n" -gt 1 ]\' — AVAP condition syntax required'],
    ['IF balance > 10 THEN', "unexpected construct 'IF balance > 10 THEN' — AVAP condition syntax required"],
    ['switch (kind) {', "unexpected construct 'switch (...)' — AVAP condition syntax required"],
    ['elif balance == 0:', "unexpected construct 'elif balance == 0' — AVAP condition syntax required"],
    ['let items = [];', "unexpected construct 'let items = []' — AVAP assignment syntax required"],
    ['const limit = 5', "unexpected construct 'const limit = 5' — AVAP assignment syntax required"],
    ['var name = "Ana";', 'unexpected construct \'var name = "Ana"\' — AVAP assignment syntax required'],
    ['int n = 0;', "unexpected construct 'int n = 0' — AVAP assignment syntax required"],
    ['n := 0', "unexpected operator ':=' — expected '='"],
    ['n += 1', "unexpected operator '+=' — expected '='"],
    ['n: int = 0', "unexpected construct 'n: int = 0' — AVAP statement required"],
    ['n++', "unexpected construct 'n++' — AVAP statement required"],
    ['def handler(event, context):', "unexpected construct 'def handler(...)' — AVAP function syntax required"],
    ['func main() {', "unexpected construct 'func main()' — AVAP function syntax required"],
    ['async function load(url) {', "unexpected construct 'async function load(...)' — AVAP function syntax required"],
    ['class User(Base):', "unexpected construct 'class User(...)' — AVAP function syntax required"],
    ['function (a) {', "unexpected construct 'function (...)' — 'function name(a, b) {' required"],
    ['function tax(a)', "unexpected construct 'function tax(...)' — 'function name(a, b) {' required"],
    ['function tax(a):', "unexpected construct 'function tax(...)' — 'function name(a, b) {' required"],
    ['print("done")', "unexpected construct 'print(...)' — 'addResult' required"],
    ['echo "done"', "unexpected construct 'echo \"done\"' — 'addResult' required"],
    ['console.log("done");', "unexpected construct 'console.log(...)' — AVAP command required"],
    ['fmt.Println("done")', "unexpected construct 'fmt.Println(...)' — AVAP command required"],
    ['System.out.println("done");', "unexpected construct 'System.out.println(...)' — AVAP command required"],
    ['root = math.sqrt(4)', "unexpected construct 'math.sqrt(...)' — AVAP command required"],
    ['data = json.loads(body)["a"]', "unexpected construct 'json.loads(...)' — AVAP command required"],
    ['return os.getenv("HOME")', "unexpected construct 'os.getenv(...)' — AVAP command required"],
    ['SELECT name FROM users', "unexpected construct 'SELECT name FROM users' — SQL in 'ormDirect' required"],
    ['INSERT INTO users VALUES (1, 2)', "unexpected construct 'INSERT INTO users VALUES (...)' — SQL in 'ormDirect' required"],
    ['import requests', "unexpected construct 'import requests' — AVAP statement required"],
    ['from flask import Flask', "unexpected construct 'from flask import Flask' — AVAP statement required"],
    ['package main', "unexpected construct 'package main' — AVAP statement required"],
    ['throw new Error("no")', "unexpected construct 'throw new Error(...)' — AVAP exception syntax required"],
    ['except ValueError as e:', "unexpected construct 'except ValueError as e' — AVAP exception syntax required"],
    ['x = a ? b : c', "unexpected '?' — expected expression"],
    ['x = a && b', "unexpected '&&' — expected expression"],
    ['x = !a', "unexpected '!' — expected expression"],
    ['x = new Date()', "unexpected text 'Date' — expected operator or end of line"],
    ['x = (a) => a + 1', "unexpected construct '=>' — AVAP function syntax required"],
    ['names = users.map(u => u.name)', "unexpected construct '=>' — AVAP function syntax required"],
    ['addVar(f, (a, b) => a)', "unexpected construct '=>' — AVAP function syntax required"],
    ['res.json(total)', "unexpected construct 'res.json(...)' — 'addResult' required"],
    ['res.status(404).send("no")', "unexpected construct 'res.status(...)' — 'addResult' required"],
    ['app.get("/users", list)', "unexpected construct 'app.get(...)' — 'registerEndpoint' required"],
    ['id = req.param("id")', "unexpected construct 'req.param(...)' — AVAP command required"],
    ['module.exports = app', "unexpected construct 'module.exports = app' — AVAP statement required"],
    ['# total', "unexpected comment '# total' — '//' required"],
    ['addVar(n, 1) # total', "unexpected comment '# total' — '//' required"],
    ['n = 1 # total', "unexpected comment '# total' — '//' required"],
    ['else', "unexpected construct 'else' — 'else()' required"],
    ['else:', "unexpected construct 'else' — 'else()' required"],
    ['} else {', "unexpected construct 'else' — 'else()' required"],
    ['END', "unexpected construct 'END' — 'end()' required"],
    ['end', "unexpected construct 'end' — 'end()' required"],
    ['try:', "unexpected construct 'try' — 'try()' required"],
    ['addVar', "unexpected construct 'addVar' — 'addVar(...)' required"],
    ['{', "unexpected construct '{' — AVAP statement required"],
    ['This returns the total to the caller.', "unexpected construct 'This returns the total to the caller.' — AVAP statement required"],
    ["Don't run it twice", "unexpected construct 'Don't run it twice' — AVAP statement required"],
    ['Done', "unexpected construct 'Done' — AVAP statement required"],
    ['1. First add the parameter', "unexpected construct '1. First add the parameter' — AVAP statement required"],
    ['- addVar(n, 1)', "unexpected construct '- addVar(...)' — AVAP statement required"],
    ['</parser_feedback>', "unexpected construct '</parser_feedback>' — AVAP statement required"],
  ])('%s', (line, message) => {
    expect(trace('addVar(a, 1)', `  ${line}`, 'addResult(a)')).toEqual([`Line 2: ${message}`])
  })

  test('programs of other languages have one fault a line, and none for the braces', () => {
    const script = ['const n = 1;', 'if (n > 0) {', '  console.log(n);', '} else {', '  alert("no");', '}']
    expect(trace(...script).map((line) => line.split(':', 1)[0])).toEqual(['Line 1', 'Line 2', 'Line 3', 'Line 4', 'Line 5'])
    const python = ['def f(a):', '    for b in a:', '        print(b)', '    return a', '', 'if f([1]):', '    pass', 'else:', '    pass']
    expect(trace(...python).map((line) => line.split(':', 1)[0])).toEqual([
      'Line 1',
      'Line 2',
      'Line 3',
      'Line 6',
      'Line 7',
      'Line 8',
      'Line 9',
    ])
  })

  test('what is quoted is short, and on one line', () => {
    const [line = ''] = trace(`while ${'x\t\u0000'.repeat(1_000)}`)
    expect(line.length).toBeLessThan(160)
    expect(line).toMatch(/^Line 1: unexpected construct 'while x �x �.*…' — AVAP loop syntax required$/)
  })

  test('names of other languages may be variables and functions', () => {
    expect(trace('addVar(json, "{}")', 'x = json.get("a")', 'RequestGet(u, , , http)', 'http.close()')).toEqual([])
    expect(trace('ormDirect(select 1, res)', 'x = res.get(1)', 'function f(app) {', 'app.get(1)', 'app.a = 2', '}', 'f(x)')).toEqual([])
    expect(trace('getRegex(a, "b => c", d)', 'ormDirect(select a => b from c, d)', 'x = "a => b"')).toEqual([])
    expect(trace('from = 1', 'select = from + 1', 'type = "a"', 'default = type', 'next = 3', 'update = str(next)')).toEqual([])
    expect(
      trace('function print(a) { return a }', 'print(1)', 'math = avapConnector("m")', 'math.sqrt(4)', 'b = math.sqrt(4) + 1'),
    ).toEqual([])
  })
})
