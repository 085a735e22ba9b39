import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { trace } from './testing/trace.ts'

const sha = "unknown command 'getSHA256' — expected known identifier"

describe('a nested call', () => {
  test.each([
    ['addResult(getSHA256(pw))', sha],
    ['x = getSHA256(pw) + "a"', sha],
    ['return getSHA256(pw)', sha],
    ['return(getSHA256(pw))', sha],
    ['addResult(getSHA256 (pw))', sha],
    ['addVar(x, "a" + str(getSHA256(pw)))', sha],
    ['x = str(getSHA256(pw))', sha],
    ['x = ["a", {"b": getSHA256(pw)}]', sha],
    ['x = rows[getSHA256(pw)]', sha],
    ['x = a if getSHA256(pw) == b else c', sha],
    ['x = lambda q: getSHA256(q)', sha],
    ['db.query(getSHA256(pw))', sha],
    ['x = db.query("select 1", getSHA256(pw))[0]', sha],
    ['addVar(x, `pw: $'.concat('{getSHA256(pw)}`)'), sha],
    ['RequestPost(https://a.example/getSHA256(1), , , getSHA256(pw), r)', sha],
    ['ormDirect(SELECT md5(a) FROM t, getSHA256(pw))', sha],
    ['addResult(returnResult(a))', "'returnResult' not defined — did you mean 'addResult'?"],
    ['x = 1 + readParam(a)', "'readParam' not defined — did you mean 'addParam'?"],
    ['addResult(encodeSHA25(pw))', "'encodeSHA25' not defined — did you mean 'encodeSHA256'?"],
    ['x = "a" + getDatetime(a, b, c, d)', "'getDatetime' not defined — did you mean 'getDateTime'?"],
    ['addResult(math.floor(x))', "unexpected construct 'math.floor(...)' — AVAP command required"],
    ['x = [json.dumps(a)]', "unexpected construct 'json.dumps(...)' — AVAP command required"],
    ['addVar(host, os.environ.get("HOST"))', "unexpected construct 'os.environ.get(...)' — AVAP command required"],
  ])('is wrong in %s', (line, message) => {
    expect(trace(line)).toEqual([`Line 1: ${message}`])
  })

  test.each([
    'addVar(x, round(abs(min(a, max(b, sum(c)))), 2))',
    'addVar(sql, SELECT md5(password), replace)'.replace(', replace', ''),
    'ormDirect(select sha256(a) from t where IF(a, 1) and GetParam(b), r)',
    'addVar(url, https://a.example/getSHA256(1)?q=math.floor(2))',
    'addVar(text, "getSHA256(pw)")',
    "x = 'math.floor(1)' + `getSHA256(1)`",
    'x = c.getSHA256(pw)',
    'x = users[0].math.floor(1)',
    'x = a and (b or (c)) if (d) else (e)',
    'addResult(RequestGet(u, , ))',
    'getRegex(text, \\\\(getSHA256|md5\\\\), found)'.replaceAll('\\\\', '\\'),
    'addVar(x, /* getSHA256(pw) */ 1)',
    'x = send(a) + other_thing(b)',
  ])('may be right in %s', (line) => {
    expect(trace(line)).toEqual([])
  })

  test('of another language is right once its object is a variable', () => {
    expect(trace('addVar(json, 1)', 'addResult(json.get(a))')).toEqual([])
    expect(trace('addResult(json.get(a))', 'x = json.get(b)')).toHaveLength(2)
  })
})

describe('a function of the file', () => {
  const define = 'function pair(a, b) { return a + b }'
  test.each(['pair(1)', 'x = pair(1, 2, 3)', 'x = 1 + pair()', 'addResult(pair(pair(1, 2)))', 'return [pair( )]', 'db.query(pair(1,,2))'])(
    'has as many arguments as parameters: %s',
    (line) => {
      const [fault, ...more] = trace(line, define)
      expect(more).toEqual([])
      expect(fault).toMatch(/^Line 1: wrong number of arguments for 'pair' — expected 2, found [013]$/)
    },
  )

  test.each([
    'pair(1, 2)',
    'x = pair("a, b", [1, 2])',
    'addResult(pair(pair(1, 2), (3, 4)))',
    'x = db.pair(1)',
    'addVar(q, SELECT pair(1) FROM t)',
  ])('is called right: %s', (line) => {
    expect(trace(line, define)).toEqual([])
  })

  test('may have the name of something else, but not that of a block', () => {
    expect(trace('function getSHA256(a){ return a }', 'addResult(getSHA256(pw))')).toEqual([])
    expect(trace('function if(a) {', '}', 'if(a, 1, =)', 'end()')).toEqual(["Line 1: 'if' is reserved — expected another name"])
  })
})

test('what is nested is judged alike however deep it is, and wherever', () => {
  const outer: readonly ((inner: string) => string)[] = [
    (inner) => `str(${inner})`,
    (inner) => `[1, ${inner}]`,
    (inner) => `{"a": ${inner}}`,
    (inner) => `rows[${inner}]`,
    (inner) => `(${inner})`,
    (inner) => `c.get("x, (", ${inner}).name`,
    (inner) => `"a" + ${inner}`,
    (inner) => `h(a, , ${inner} )`,
    (inner) => `b if ${inner} else 'c'`,
  ]
  const statements: readonly ((inner: string) => string)[] = [
    (inner) => `addResult(${inner})`,
    (inner) => `x = 1 * ${inner}`,
    (inner) => `return ${inner}`,
    (inner) => `db.query(${inner})`,
    (inner) => `AddvariableToJSON(key, ${inner}, body)`,
  ]
  const wrong = fc.constantFrom('getSHA256(a)', 'md5 (a)', 'fmt.Sprint(a)', 'randomStrin(a)', 'pair(1)')
  const right = fc.constantFrom('h(a)', 'int(a)', 'c.md5(a)', '"md5(a)"', 'pair(1, 2)', 'name')
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...outer), { maxLength: 6 }),
      fc.constantFrom(...statements),
      wrong,
      right,
      (nest, put, bad, good) => {
        const line = (inner: string): string => put(nest.reduce((text, wrap) => wrap(text), inner))
        const own = 'function pair(a, b) { return a }'
        expect(trace(own, line(good)), line(good)).toEqual([])
        expect(trace(own, line(bad)), line(bad)).toHaveLength(1)
      },
    ),
    { numRuns: 200 },
  )
})
