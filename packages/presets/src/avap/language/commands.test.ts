import { describe, expect, test } from 'vitest'
import { trace } from './testing/trace.ts'

describe('names', () => {
  test.each([
    ['getSHA256(a, b)', "unknown command 'getSHA256' — expected known identifier"],
    ['readParam(a, b)', "'readParam' not defined — did you mean 'addParam'?"],
    ['returnResult(a)', "'returnResult' not defined — did you mean 'addResult'?"],
    ['b = getSHA256(a)', "unknown command 'getSHA256' — expected known identifier"],
    ['addvar(a, b)', "'addvar' not defined — did you mean 'addVar'?"],
    ['AddVar(a, b)', "'AddVar' not defined — did you mean 'addVar'?"],
    ['requestGet(a, , , b)', "'requestGet' not defined — did you mean 'RequestGet'?"],
    ['addvariableToJSON(a, b, c)', "'addvariableToJSON' not defined — did you mean 'AddvariableToJSON'?"],
    ['addReslut(a)', "'addReslut' not defined — did you mean 'addResult'?"],
    ['END()', "'END' not defined — did you mean 'end'?"],
    ['sendEmailToEverybody(a)', "unknown command 'sendEmailToEverybody' — expected known identifier"],
    ['x = round(a, 2)', "unknown command 'round' — expected known identifier"],
    ['Str(a)', "unknown command 'Str' — expected known identifier"],
    ['toString(a)', "unknown command 'toString' — expected known identifier"],
    ['constructor(a)', "unknown command 'constructor' — expected known identifier"],
    ['__proto__(a)', "unknown command '__proto__' — expected known identifier"],
  ])('%s', (line, message) => {
    expect(trace(line)).toEqual([`Line 1: ${message}`])
  })

  test('a function of the file wins over what a name could mean, wherever it is defined', () => {
    expect(trace('returnResult(1)', 'x = getSHA256(2)', 'function returnResult(a) {', '}', 'function getSHA256(a){ return a }')).toEqual([])
    expect(trace('function calculate(a){ return a }', 'calculat(1)')).toEqual([
      "Line 2: 'calculat' not defined — did you mean 'calculate'?",
    ])
  })

  test('other calls inside of arguments and expressions may be right', () => {
    expect(trace('addVar(a, unknown(b))', 'x = unknown(a) + 1', 'x = [unknown(a)]', 'return unknown(a)')).toEqual([])
  })
})

describe('how many arguments', () => {
  const arities: readonly (readonly [string, number, number])[] = [
    ...['exception'].map((name) => [name, 0, 1] as const),
    ...['addResult', 'getQueryParamList', 'avapConnector'].map((name) => [name, 1, 1] as const),
    ['gather', 1, 2],
    ...['addVar', 'addParam', 'encodeSHA256', 'encodeMD5', 'ormDirect', 'ormCheckTable', 'getListLen'].map((name) => [name, 2, 2] as const),
    ...['variableToList', 'go'].map((name) => [name, 2, 2] as const),
    ['randomString', 2, 3],
    ...['getRegex', 'itemFromList', 'AddvariableToJSON', 'variableFromJSON'].map((name) => [name, 3, 3] as const),
    ...['replace', 'getDateTime', 'getTimeStamp', 'stampToDatetime', 'ormAccessSelect'].map((name) => [name, 4, 4] as const),
    ['ormAccessInsert', 4, 4],
    ['ormAccessUpdate', 5, 5],
    ['registerEndpoint', 6, 6],
    ['RequestGet', 4, 5],
    ['RequestPost', 5, 6],
  ]
  const call = (name: string, count: number) => `${name}(${Array.from({ length: count }, (_, index) => `a${index}`).join(', ')})`

  test.each(arities)('%s takes %i to %i', (name, least, most) => {
    const expected = least === most ? least : `${least}–${most}`
    for (let count = 0; count <= most + 2; count++) {
      const isRight = count >= least && count <= most
      const program = ['try()', call(name, count), ...(name === 'exception' ? [] : ['exception()'])]
      expect(trace(...program), `${count}`).toEqual(
        isRight ? [] : [`Line 2: wrong number of arguments for '${name}' — expected ${expected}, found ${count}`],
      )
    }
  })

  test('requests take one fewer when their result is assigned', () => {
    expect(trace('a = RequestGet(u, , )', 'a = RequestGet(u, , , 5)', 'a = RequestPost(u, , , b)', 'a = RequestPost(u, , , b, 5)')).toEqual(
      [],
    )
    expect(trace('a = RequestGet(u, )', 'a = RequestGet(u, , , r, 5)')).toEqual([
      "Line 1: wrong number of arguments for 'RequestGet' — expected 3–4, found 2",
      "Line 2: wrong number of arguments for 'RequestGet' — expected 3–4, found 5",
    ])
  })

  test.each([
    ['addResult()', 0],
    ['addResult( )', 0],
    ['addResult(,)', 2],
    ['addResult("a, b", c)', 2],
    ['addResult([1, 2], c)', 2],
    ['addResult(f(a, b), c)', 2],
    ['addResult({a: 1, b: 2}, c)', 2],
    ['addResult(`a, b`, c)', 2],
    ['addResult(/* a, b */, c)', 2],
    [String.raw`addResult("a\", b", c)`, 2],
  ])('%s has %i', (line, count) => {
    expect(trace(line)).toEqual([`Line 1: wrong number of arguments for 'addResult' — expected 1, found ${count}`])
  })

  test.each([
    '(a, b)',
    '{"a": 1, "b": 2}',
    '[1, 2]',
    '"a, b = c"',
    "'a, (b'",
    '`a, $' + '{b}, c`',
    'f(a, b)',
    String.raw`\(a`,
    '$name',
    '',
  ])('%s is one argument at most', (argument) => {
    expect(trace(`addVar(x, ${argument})`)).toEqual([])
  })

  test('conditions and loops', () => {
    expect(trace('if(a, b)', 'end()', 'startLoop(i, 0)', 'endLoop()', 'go_async()', 'end()', 'end(1)')).toEqual([
      "Line 1: wrong number of arguments for 'if' — expected 3–4, found 2",
      "Line 3: wrong number of arguments for 'startLoop' — expected 3, found 2",
      "Line 5: wrong number of arguments for 'go_async' — expected 1, found 0",
      "Line 7: wrong number of arguments for 'end' — expected 0, found 1",
    ])
  })
})
