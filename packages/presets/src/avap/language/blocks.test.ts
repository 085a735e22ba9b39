import { describe, expect, test } from 'vitest'
import { trace } from './testing/trace.ts'

const programs: readonly (readonly [name: string, program: string, ...expected: readonly string[]])[] = [
  ['an if', 'if(a, 1, =)|  x = 1|end()'],
  ['an if with an else', 'if(a, 1, =)|  x = 1|else()|  x = 2|end()'],
  ['a task', 'go_async(t)|  x = 1|end()|gather(t)'],
  ['a function', 'function f(a) {|  return a|}'],
  ['a function on one line', 'function f(a){ x = a; return x }'],
  ['functions in each other on one line', 'function f(a){ function g(b){ return {"b": b} } return g(a) }'],
  ['a function that is closed behind its last statement', 'function f(a) {|  return a }'],
  ['a handler with its end', 'try()|  x = 1|exception(e)|  x = 2|end()'],
  ['a handler without its end', 'try()|  x = 1|exception(e)|  x = 2'],
  ['a handler that is assigned', 'try()|  x = 1|m = exception("msg")|addResult(m)'],
  ['a handler with its end inside an if', 'if(a, 1, =)|try()|exception()|end()|end()'],
  ['a handler without its end inside an if', 'if(a, 1, =)|try()|exception()|end()'],
  [
    'handlers without their ends inside of each other',
    'if(a, 1, =)|try()|try()|exception()|exception()|else()|try()|exception()|end()|end()',
  ],
  ['a handler without its end inside a loop', 'startLoop(i, 0, 3)|try()|exception()|endLoop()'],
  ['a handler without its end inside a function', 'function f(a) {|try()|exception()|}'],
  ['a handler without its end before an else', 'if(a, 1, =)|try()|exception()|else()|x = 1|end()'],
  ['a block inside a handler', 'try()|exception(e)|if(e, 1, =)|else()|end()|end()'],

  ['an if without end', 'if(a, 1, =)|  x = 1', "1: 'if(...)' not closed — expected 'end()'"],
  ['an inner if without end', 'if(a, 1, =)|  if(b, 1, =)|    x = 1|end()', "2: 'if(...)' not closed — expected 'end()'"],
  ['the second of two', 'if(a, 1, =)|  if(b, 1, =)|  end()|  if(c, 1, =)|end()', "4: 'if(...)' not closed — expected 'end()'"],
  ['an if with an inner else', 'if(a, 1, =)|  if(b, 1, =)|else()|end()', "2: 'if(...)' not closed — expected 'end()'"],
  ['two elses, one of them inside', 'if(a, 1, =)|  if(b, 1, =)|  else()|else()|end()', "2: 'if(...)' not closed — expected 'end()'"],
  ['an if inside a loop', 'startLoop(i, 0, 3)|  if(a, 1, =)|endLoop()', "2: 'if(...)' not closed — expected 'end()'"],
  ['an if inside a function', 'function f(a) {|  if(a, 1, =)|}', "2: 'if(...)' not closed — expected 'end()'"],
  ['an if inside a try', 'try()|  if(a, 1, =)|exception()', "2: 'if(...)' not closed — expected 'end()'"],
  ['a task', 'go_async(t)|x = 1', "1: 'go_async(...)' not closed — expected 'end()'"],
  ['a loop', 'startLoop(i, 0, 3)|  x = 1', "1: 'startLoop(...)' not closed — expected 'endLoop()'"],
  ['a loop inside an if', 'if(a, 1, =)|  startLoop(i, 0, 3)|end()', "2: 'startLoop(...)' not closed — expected 'endLoop()'"],
  ['a loop before an else', 'if(a, 1, =)|  startLoop(i, 0, 3)|else()|end()', "2: 'startLoop(...)' not closed — expected 'endLoop()'"],
  ['an inner loop', 'startLoop(i, 0, 3)|  startLoop(j, 0, 3)|endLoop()', "2: 'startLoop(...)' not closed — expected 'endLoop()'"],
  ['a function', 'function f(a) {|  return a', "1: 'function f(...)' not closed — expected '}'"],
  ['a try', 'try()|  x = 1', "1: 'try()' has no handler — expected 'exception(...)'"],
  [
    'everything',
    'if(a, 1, =)|startLoop(i, 0, 3)|function f() {',
    "1: 'if(...)' not closed — expected 'end()'",
    "2: 'startLoop(...)' not closed — expected 'endLoop()'",
    "3: 'function f()' not closed — expected '}'",
  ],

  ['a stray end', 'x = 1|end()', "2: unexpected 'end()' — no block that it closes is open"],
  ['a stray end inside a loop', 'startLoop(i, 0, 3)|end()|endLoop()', "2: unexpected 'end()' — no block that it closes is open"],
  ['a stray end inside a function', 'function f() {|end()|}', "2: unexpected 'end()' — no block that it closes is open"],
  ['a stray end inside a try', 'try()|end()|exception()', "2: unexpected 'end()' — no block that it closes is open"],
  ['a second end', 'if(a, 1, =)|end()|end()', "3: unexpected 'end()' — no block that it closes is open"],
  [
    'an end that is not below its if',
    '  if(a, 1, =)|end()|    x = 1|  else()|  end()',
    "2: unexpected 'end()' — no block that it closes is open",
  ],
  ['an end too early', '  if(a, 1, =)|end()|    x = 1|  end()', "2: unexpected 'end()' — no block that it closes is open"],
  [
    'an endLoop too early',
    '  startLoop(i, 0, 3)|endLoop()|    x = 1|  endLoop()',
    "2: unexpected 'endLoop()' — no 'startLoop(...)' is open",
  ],
  [
    'an else too early',
    '  if(a, 1, =)|else()|    x = 1|  else()|  end()',
    "2: unexpected 'else()' — 'if(...)' of line 1 already has an 'else()'",
  ],
  ['a stray endLoop', 'x = 1|endLoop()', "2: unexpected 'endLoop()' — no 'startLoop(...)' is open"],
  ['a stray endLoop inside an if', 'if(a, 1, =)|endLoop()|end()', "2: unexpected 'endLoop()' — no 'startLoop(...)' is open"],
  [
    'a second endLoop inside an if',
    'startLoop(i, 0, 3)|if(a, 1, =)|endLoop()|end()|endLoop()',
    "3: unexpected 'endLoop()' — no 'startLoop(...)' is open",
  ],
  ['a stray else', 'x = 1|else()', "2: unexpected 'else()' — no 'if(...)' is open"],
  ['a stray else inside a loop', 'if(a, 1, =)|startLoop(i, 0, 3)|else()|endLoop()|end()', "3: unexpected 'else()' — no 'if(...)' is open"],
  ['a second else', 'if(a, 1, =)|else()|else()|end()', "3: unexpected 'else()' — 'if(...)' of line 1 already has an 'else()'"],
  ['an else of a task', 'go_async(t)|else()|end()', "2: unexpected 'else()' — no 'if(...)' is open"],
  ['a second exception', 'try()|exception(e)|x = 1|m = exception(e)|end()', "4: unexpected 'm =' — no 'try()' is open"],
  [
    'a second exception in a loop',
    'startLoop(i, 0, 1)|try()|exception()|exception()|endLoop()',
    "4: unexpected 'exception()' — no 'try()' is open",
  ],
  ['a stray exception', 'x = 1|exception(e)', "2: unexpected 'exception(...)' — no 'try()' is open"],
  ['a stray brace', 'x = 1|}', "2: unexpected '}' — no function is open"],
  ['a second brace', 'function f() { return 1 } }', "1: unexpected '}' — no function is open"],
  ['text behind a brace', 'function f() {|} x = 1', "2: unexpected text 'x = 1' — expected one statement per line"],

  ['a loop with the wrong end', 'startLoop(i, 0, 3)|end()', "2: unexpected 'end()' — 'startLoop(...)' of line 1 closes with 'endLoop()'"],
  ['an if with the wrong end', 'if(a, 1, =)|endLoop()', "2: unexpected 'endLoop()' — 'if(...)' of line 1 closes with 'end()'"],
  ['an if with a brace', 'if(a, 1, =)|}', "2: unexpected '}' — 'if(...)' of line 1 closes with 'end()'"],
  ['a function with an end', 'function f() {|end()', "2: unexpected 'end()' — 'function f()' of line 1 closes with '}'"],
  ['a try with an end', 'try()|end()', "2: unexpected 'end()' — 'try()' of line 1 closes with 'exception(...)'"],
]

describe('blocks', () => {
  test.each(programs)('%s: %s', (_, program, ...expected) => {
    expect(trace(...program.split('|'))).toEqual(expected.map((line) => `Line ${line}`))
  })

  test('a block that is opened with a fault can be closed', () => {
    expect(trace('if(a, "1, =)', 'else()', 'end()')).toHaveLength(1)
    expect(trace('if x == 1:', 'else()', 'end()')).toHaveLength(1)
    expect(trace('startLoop(i, 0', 'endLoop()')).toHaveLength(1)
    expect(trace('IF(a, 1, =)', 'ELSE()', 'END()')).toHaveLength(3)
    expect(trace('while(x < 10)', 'end()', 'while(x < 10)', 'endLoop()', 'while (x < 10) {', '}')).toHaveLength(3)
    expect(trace('function f(a) {', 'for b in a:', '}')).toHaveLength(1)
    expect(trace('try', 'exception()', 'end()')).toHaveLength(1)
  })

  test('nesting as deep as one likes', () => {
    const deep = 20_000
    const program = [...Array.from({ length: deep }, () => 'if(a, 1, =)'), ...Array.from({ length: deep }, () => 'end()')]
    expect(trace(...program)).toEqual([])
    expect(trace(...program, 'end()')).toHaveLength(1)
    expect(trace(`x = ${'('.repeat(deep)}1${')'.repeat(deep)}`)).toEqual([])
    expect(trace(`${'function f(){ '.repeat(deep)}${'}'.repeat(deep)}`)).toEqual([])
    expect(trace('x = '.concat('('.repeat(deep)))).toHaveLength(1)
  })
})
