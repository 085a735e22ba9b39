import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { blockFaults } from './blocks.ts'
import type { Mark } from './frames.ts'
import { avapLanguage } from './index.ts'
import type { Role } from './statement.ts'
import { validPrograms } from './testing/programs.ts'

const runs = { numRuns: 150 }
const parse = await avapLanguage().load()

/** Lines that are wrong wherever they are. */
const faults = [
  ...['x =', 'x = "a', "addVar(a, 'b)", 'addResult(a', 'addResult(a, b)', 'addVar(a)', 'addResult(a) b', 'x = 1 2', 'x := 1', 'x += 1'],
  ...[
    'readParam(a, b)',
    'notACommandAtAll(a)',
    'addvar(a, b)',
    'x = round(1)',
    'addResult(getSHA256(a))',
    'return [1, getSHA256(a)]',
    'x = 1a',
    'end = 1',
    'a = b = 1',
    'console.log("a")',
    'x = math.floor(1)',
    '# note',
    'IF(a, 1, =)',
  ],
  ...[
    'for a in b:',
    'while (a) {',
    'let a = 1;',
    'def f(a):',
    'if (a > 1) {',
    'if a:',
    'print("a")',
    'SELECT * FROM t',
    '} else {',
    'else:',
  ],
  ...['Here the total is sent back.', 'Note: run it twice', 'addVar(a, [1)', 'addResult(a))', 'end', 'a, b = 1, 2', '"a"', 'func f() {'],
]

describe('programs', () => {
  test('valid ones have no fault', () => {
    fc.assert(
      fc.property(validPrograms, (lines) => {
        expect(parse(lines.join('\n')), lines.join('\n')).toEqual([])
        expect(parse(lines.join('\r\n'))).toEqual([])
      }),
      runs,
    )
  })

  test('one wrong line is reported there, and nowhere else but on the blocks around it', () => {
    fc.assert(
      fc.property(validPrograms, fc.constantFrom(...faults), fc.nat(), (lines, fault, place) => {
        const at = place % (lines.length + 1)
        // Inside a comment nothing is wrong.
        fc.pre(!lines[at]?.includes('*/') || lines[at]?.includes('/*') === true)
        const found = parse([...lines.slice(0, at), fault, ...lines.slice(at)].join('\n'))
        expect(found.map(({ line }) => line)).toContain(at + 1)
        expect(found.length, `${fault}\n${JSON.stringify(found)}`).toBeLessThanOrEqual(1)
      }),
      runs,
    )
  })

  test('whatever it is given, it answers, in the order of lines and inside of them', () => {
    const piece = fc.constantFrom(
      ...[
        'if(',
        'a, 1, =)',
        'end()',
        'else()',
        'endLoop()',
        'startLoop(i,0,1)',
        'try()',
        'exception()',
        'function f(a) {',
        '}',
        '{',
        'go_async(t)',
      ],
      ...[
        '"',
        "'",
        '`',
        '${',
        '\\',
        '(',
        ')',
        '[',
        ']',
        ',',
        '=',
        ':=',
        '.',
        ';',
        '//',
        '/*',
        '*/',
        '#',
        '\n',
        '\r\n',
        '\r',
        '\t',
        ' ',
        '\0',
        '\ufeff',
      ],
      ...[
        'x',
        'x = ',
        '1',
        'for ',
        'while',
        'addVar',
        'math.',
        'return ',
        'lambda ',
        'é',
        '😀',
        '\ud800',
        '\u2028',
        '“',
        'not in',
        '</parser_feedback>',
      ],
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(piece, { maxLength: 60 }).map((parts) => parts.join('')),
          fc.string({ unit: 'binary' }),
        ),
        (source) => {
          const lines = source.split(/\r\n|\n|\r/)
          let last = 0
          for (const { line, column, endLine, endColumn, message } of parse(source)) {
            expect(line).toBeGreaterThanOrEqual(last)
            expect(endLine).toBe(line)
            expect(column).toBeGreaterThan(0)
            expect(endColumn).toBeGreaterThan(column)
            expect(endColumn).toBeLessThanOrEqual((lines[line - 1] ?? '').length + 2)
            expect(message).not.toMatch(/[\n\r\0]/)
            expect(message).not.toContain('undefined')
            expect(message.length).toBeLessThan(250)
            last = line
          }
        },
      ),
      runs,
    )
  })
})

describe('blocks', () => {
  const roles: readonly Role[] = ['if', 'block', 'else', 'end', 'loop', 'endLoop', 'try', 'exception', 'function', 'brace']

  const marksOf = (given: readonly Role[]): Mark[] =>
    given.map((role, at) => ({ role, label: role, line: at + 1, start: 0, end: 1, indent: 0, isFaulty: false }))

  test('that some choice of handlers makes right have no fault', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...roles), { maxLength: 14 }), (given) => {
        if (canBeRight(given)) expect(blockFaults(marksOf(given), 100), given.join(' ')).toEqual([])
      }),
      { numRuns: runs.numRuns * 10 },
    )
  })

  test('that no choice makes right have one; which block an else after an optional end divides is left open', () => {
    const withoutElse = roles.filter((role) => role !== 'else')
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...withoutElse), { maxLength: 14 }), (given) => {
        expect(blockFaults(marksOf(given), 100).length === 0, given.join(' ')).toBe(canBeRight(given))
      }),
      { numRuns: runs.numRuns * 10 },
    )
    const withoutTry = roles.filter((role) => role !== 'try')
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...withoutTry), { maxLength: 14 }), (given) => {
        expect(blockFaults(marksOf(given), 100).length === 0, given.join(' ')).toBe(canBeRight(given))
      }),
      { numRuns: runs.numRuns * 10 },
    )
  })
})

/** The slow way: every stack that the marks so far could have left. `h` is a handler, `e` an if with its else. */
function canBeRight(roles: readonly Role[]): boolean {
  let stacks = new Set([''])
  for (const role of roles) stacks = new Set([...stacks].flatMap((stack) => after(stack, role)))
  return [...stacks].some((stack) => /^h*$/.test(stack))
}

function after(stack: string, role: Role): string[] {
  // A handler without its end closes with the block around it.
  const around = stack.replace(/h+$/, '')
  const top = around.at(-1) ?? ''
  const rest = around.slice(0, -1)
  const opened: Partial<Record<Role, string>> = { if: 'i', block: 'b', loop: 'l', try: 't', function: 'f' }
  const closed: Partial<Record<Role, string>> = { end: 'ieb', endLoop: 'l', brace: 'f', exception: 't', else: 'i' }
  const open = opened[role]
  if (open !== undefined) return [stack + open]
  const next = top !== '' && closed[role]?.includes(top) ? [rest + (role === 'exception' ? 'h' : role === 'else' ? 'e' : '')] : []
  return role === 'end' && stack.endsWith('h') ? [...next, ...[...handlers(stack)]] : next
}

/** An end may be that of any of the innermost handlers. */
function* handlers(stack: string): Iterable<string> {
  for (let at = stack.length - 1; stack[at] === 'h'; at--) yield stack.slice(0, at)
}
