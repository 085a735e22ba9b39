import { contract, enforce, enforceStream } from '@stickler/core'
import { scripted } from '@stickler/core/testing'
import type { SyntaxParser } from '@stickler/core/validators'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { avapLanguage } from './index.ts'
import { validPrograms } from './testing/programs.ts'

const parse = await avapLanguage().load()
const parser: SyntaxParser = {
  async parse(_language, source) {
    const [first, ...others] = parse(source)
    return first === undefined ? { verdict: 'valid' } : { verdict: 'invalid', trace: [first, ...others] }
  },
}
const rules = contract({ preset: 'avap', retries: 0, unresolved: 'withhold', unchecked: 'withhold' })

async function whole(text: string): Promise<unknown> {
  const outcome = await enforce({ contract: rules, runner: scripted([text]), prompt: '', ports: { parser } })
  return outcome.validationStatus
}

async function streamed(text: string, size: number): Promise<{ readonly shown: string; readonly told: unknown }> {
  const chunks = Array.from({ length: Math.ceil(text.length / size) }, (_, index) => text.slice(index * size, (index + 1) * size))
  const stream = enforceStream({ contract: rules, runner: scripted([{ chunks }]), prompt: '', ports: { parser } })
  let shown = ''
  for await (const piece of stream) shown += piece
  return { shown, told: (await stream.outcome).validationStatus }
}

const each = (lines: readonly string[], write: (line: string, index: number) => string): string => lines.map(write).join('\n')
const fence = '```'
const fenced = (lines: readonly string[]): string => `${fence}avap\n${lines.join('\n')}\n${fence}\n`

/** How a program is written without a fence of its own. */
const shapes: Readonly<Record<string, (lines: readonly string[]) => string>> = {
  alone: (lines) => lines.join('\n'),
  'below a line': (lines) => `Sure:\n${lines.join('\n')}`,
  'below a paragraph': (lines) => `Sure:\n\n${lines.join('\n')}\n`,
  'between paragraphs': (lines) => `This is it:\n\n${lines.join('\n')}\n\nThe program answers with a result.`,
  indented: (lines) => `Sure:\n\n${each(lines, (line) => `    ${line}`)}\n`,
  'indented by a tab': (lines) => `Sure:\n\n${each(lines, (line) => `\t${line}`)}\n`,
  'as a list': (lines) => `Sure:\n\n${each(lines, (line) => `- ${line}`)}`,
  'as a quote': (lines) => `Sure:\n\n${each(lines, (line) => `> ${line}`)}\n`,
  numbered: (lines) => `Sure:\n\n${each(lines, (line, index) => `${index + 1}. ${line}`)}\n`,
  'in <pre>': (lines) => `Sure:\n\n<pre>\n${lines.join('\n').replaceAll('&', '&amp;').replaceAll('<', '&lt;')}\n</pre>\n`,
  'on the line of its fence': (lines) => `Sure:\n\n${fence}avap ${lines.join('\n')}\n${fence}\n`,
  'with line breaks of Windows': (lines) => `Sure:\r\n${lines.join('\r\n')}\r\n`,
}

const condition = ['addParam("rol", rol)', 'if(rol, "admin", =)', '  addResult(rol)', 'end()']
const programs: readonly (readonly string[])[] = [
  condition,
  condition.slice(1),
  condition.map((line) => line.replace('if(', 'if (').replace('end(', 'end (')),
  condition.map((line) => line.replace('if(rol, "admin", =)', 'if(None, None, "rol == 1 and pw != 2") // only admins')),
  ['if(a, 1, =)', 'addResult(a)', 'else()', '', 'addResult(b)', 'end()'],
  ['startLoop(i, 0, 3)', '  if(i, 1, =);', '    addResult(i)', '  end();', 'endLoop()'],
  ['function f(a) {', '  if(a, 1, =)', '    return a', '  end()', '}', '', 'f(2)'],
  ['function f(a) {', 'if(a, 1, =)', '', 'return a', 'end()', '', '}', 'addResult(f(2))'],
  ['go(a, b)', 'gather(a)'],
  ['go_async(a)', '  go (a, b)', 'end()', 'replace (a, "b", "c", d)'],
  ['/* What it does:', '   It answers with the rol of a user.', '*/', 'if(rol, "admin", =)', 'addResult(rol)', 'end()'],
  ['if(a, 1, =)', '', '', '  try ()', '  x = 1', '', '  exception(e)', '  end()', '', 'end()'],
  ['getRegex(a, [^0-9]+\\.\\d, b)', 'if(b, → 1, =)', 'addResult(b)', 'end()'],
  ['if(a, 1, =)', 'ormDirect(select count(*) from users where active is true and so on, res)', 'rows[0].name = 1', 'end()'],
  // Wrong ones.
  ['if(rol, "admin", =)', ' addResult(rol)'],
  ['if(getSHA256(a), 1, =)', 'addResult(a)'],
  ['if(getSHA256(a), 1, =)', 'addResult(a)', 'end()'],
  ['go(x)'],
  ['if(a, 1)', 'addResult(a)', 'end()'],
  ['function f(a) {', 'return a', '}', '', 'f(1, 2)'],
  ['addVar(a, 1)', 'x = 5 apples', 'addResult(x)'],
  ['addVar(a, 1)', 'a = b = 1', 'addResult(a)'],
  ['addVar(a, 1)', '# note', 'addResult(a)'],
  ['addVar(a, 1) // note', 'if(a, 1, =) // note', 'addResult(a) // note'],
]

describe('a program without a fence has the verdict that it has in one', () => {
  test.each(Object.entries(shapes))('%s', async (_name, write) => {
    for (const lines of programs) {
      const text = write(lines)
      const told = await whole(fenced(lines))
      expect({ text, told: await whole(text) }).toEqual({ text, told })
      const { shown, told: toldAtEnd } = await streamed(text, 3)
      expect({ text, toldAtEnd }).toEqual({ text, toldAtEnd: told })
      if (told === '') expect(shown).toBe(text)
      else expect(shown).not.toMatch(/[(=]/)
    }
  })

  test('any program in any shape', { timeout: 60_000 }, async () => {
    const fault = fc.constantFrom(
      ...[
        '',
        '',
        'addResult(getSHA256(a))',
        'if(a, 1, =)',
        'end()',
        'go(x)',
        'readParam(a, b)',
        'addVar(a)',
        'if (a, 1)',
        'x = getSHA256(a)',
      ],
    )
    const shape = fc.constantFrom(...Object.values(shapes))
    await fc.assert(
      fc.asyncProperty(shape, validPrograms, fault, fc.nat(), fc.integer({ min: 1, max: 40 }), async (write, valid, wrong, place, size) => {
        const at = place % (valid.length + 1)
        const lines = wrong === '' ? valid : [...valid.slice(0, at), wrong, ...valid.slice(at)]
        const told = await whole(fenced(lines))
        const text = write(lines)
        const found = await whole(text)
        // Wrong code may be taken for prose in doubt, but is never passed as right.
        if (told === '') expect({ text, found }).toEqual({ text, found: '' })
        else expect(['INVALID_UNRESOLVED', 'PARSER_UNAVAILABLE'], text).toContain(found)
        expect((await streamed(text, size)).told, text).toBe(found)
      }),
      { numRuns: 150 },
    )
  })
})
