import { Answer, check, type FilePort, repair, settle } from '@stickler/core'
import { applyEdits } from '@stickler/core/internal/validators'
import { describe, expect, it } from 'vitest'
import { contract } from '../../../testing/contract.ts'
import { ports, propose, rules } from '../../../testing/proposed-moves.ts'

const fence = '```'

async function mend(text: string): Promise<string | undefined> {
  const certificates = await propose(text)
  return certificates.length > 0 ? applyEdits(text, certificates) : undefined
}

const wrap = (yaml: string): string =>
  `Text before: \`files.modify\`\n\n---\nadr_id: "7" # keep\n${yaml}\nstatus: 'x'\n---\n\n# Text after\n`

describe('repairFiles', () => {
  it.each<[name: string, before: string, after: string]>([
    // Where create is missing
    ['block list, create missing', 'files:\n  modify:\n    - old/a\n    - b', 'files:\n  modify:\n    - old/a\n  create:\n    - b'],
    ['the only entry', 'files:\n  modify:\n    - b', 'files:\n  modify: []\n  create:\n    - b'],
    ['items at the margin of their key', 'files:\n  modify:\n  - b\n  - old/a', 'files:\n  modify:\n  - old/a\n  create:\n  - b'],
    ['flow list, create missing', 'files:\n  modify: [old/a, b, "c"]', 'files:\n  modify: [old/a]\n  create: [b, "c"]'],
    ['scalar, create missing', 'files:\n  modify: b # why', 'files:\n  modify: [] # why\n  create: [b]'],
    ['scalar on the next line', 'files:\n  modify:\n    b\n  x: 1', 'files:\n  modify:\n    []\n  create: [b]\n  x: 1'],
    ['in braces', 'files: {modify: [b, old/a], x: 1}', 'files: {modify: [old/a], create: [b], x: 1}'],
    ['JSON', 'files: {"modify": ["b"]}', 'files: {"modify": [], "create": ["b"]}'],
    ['quoted keys', '"files":\n  "modify":\n    - b', '"files":\n  "modify": []\n  "create":\n    - b'],
    // Where create is empty
    ['create is null', 'files:\n  modify:\n    - b\n  create:', 'files:\n  modify: []\n  create:\n    - b'],
    [
      'create is null with a comment',
      'files:\n  create: # new ones\n  modify:\n    - b',
      'files:\n  create: # new ones\n    - b\n  modify: []',
    ],
    ['create is written as null', 'files:\n  modify:\n    - b\n  create: null # none', 'files:\n  modify: []\n  create: # none\n    - b'],
    ['create is ~, flow list', 'files:\n  modify: [b]\n  create: ~', 'files:\n  modify: []\n  create: [b]'],
    ['create is null, flow list', 'files:\n  modify: [b]\n  create:', 'files:\n  modify: []\n  create: [b]'],
    ['create is []', 'files:\n  modify:\n    - b\n  create: []', 'files:\n  modify: []\n  create:\n    - b'],
    ['create is [ ], flow list', 'files:\n  create: [ ]\n  modify: [b, old/a]', 'files:\n  create: [b]\n  modify: [old/a]'],
    ['create is [] on the next line', 'files:\n  modify:\n    - b\n  create:\n    []', 'files:\n  modify: []\n  create:\n    [b]'],
    ['create is an empty text', 'files:\n  modify: [b]\n  create: ""', 'files:\n  modify: []\n  create: [b]'],
    ['create is null in braces', 'files: {create: , modify: [b]}', 'files: {create: [b] , modify: []}'],
    // Where create has entries
    [
      'into a block list',
      'files:\n  modify:\n    - b\n    - old/a\n  create:\n    - c # first\n  # own\n  x: 1',
      'files:\n  modify:\n    - old/a\n  create:\n    - c # first\n    - b\n  # own\n  x: 1',
    ],
    [
      'into a block list of other depth',
      'files:\n  create:\n  -   c\n  modify:\n      - b',
      'files:\n  create:\n  -   c\n  - b\n  modify: []',
    ],
    ['into a flow list', 'files:\n  modify:\n    - b\n  create: [c, "d", ]', 'files:\n  modify: []\n  create: [c, "d", b, ]'],
    ['into a scalar', 'files:\n  modify: [b]\n  create: c # why', 'files:\n  modify: []\n  create: [c, b] # why'],
    [
      'from flow into block',
      'files:\n  modify: [b, "c,d"]\n  create:\n    - x',
      'files:\n  modify: []\n  create:\n    - x\n    - b\n    - "c,d"',
    ],
    ['from scalar into scalar', 'files:\n  modify: b\n  create: c', 'files:\n  modify: []\n  create: [c, b]'],
    [
      'with an empty item',
      'files:\n  modify:\n    - b\n  create:\n    - x\n    -',
      'files:\n  modify: []\n  create:\n    - x\n    -\n    - b',
    ],
    // No duplicates
    ['already in create', 'files:\n  modify:\n    - b\n    - c\n  create:\n    - b', 'files:\n  modify: []\n  create:\n    - b\n    - c'],
    ['already in create in other words', 'files:\n  modify: [./b, old/a]\n  create: x/../b', 'files:\n  modify: [old/a]\n  create: x/../b'],
    ['twice in modify', 'files:\n  modify: [b, old/a, b, ./b]\n  create: []', 'files:\n  modify: [old/a]\n  create: [b]'],
    // Comments
    [
      'a comment goes with its entry',
      'files:\n  modify: # all\n    # first\n    - old/a # stays\n    - b  # goes\n    # last\n  x: 1',
      'files:\n  modify: # all\n    # first\n    - old/a # stays\n  create:\n    - b  # goes\n    # last\n  x: 1',
    ],
    [
      'a comment without a place stays',
      'files:\n  modify:\n    - b # why\n    - old/a\n  create: [c]',
      'files:\n  modify:\n    # why\n    - old/a\n  create: [c, b]',
    ],
    [
      'a comment of an entry that is there already stays',
      'files:\n  modify:\n    - b # why\n  create:\n    - b',
      'files:\n  modify: []\n    # why\n  create:\n    - b',
    ],
    [
      'comments around an emptied list',
      'files:\n  modify: # all\n    # one\n    - b\n\n    # two\n    - c\n    # three',
      'files:\n  modify: [] # all\n    # one\n\n    # two\n  create:\n    - b\n    - c\n    # three',
    ],
    // Quoting
    [
      'quotes stay',
      'files:\n  modify:\n    - "b c"\n    - \'dd: e\'\n    -   f',
      'files:\n  modify: []\n  create:\n    - "b c"\n    - \'dd: e\'\n    -   f',
    ],
    [
      'what would end an entry in brackets is quoted',
      'files:\n  modify:\n    - app/[id]/{x},y\n  create: [c]',
      'files:\n  modify: []\n  create: [c, "app/[id]/{x},y"]',
    ],
    ['a scalar with a comma', 'files:\n  modify: b, c\n  create: d, e', 'files:\n  modify: []\n  create: ["d, e", "b, c"]'],
    [
      'names that are not plain',
      'files:\n  modify: ["a\\nb", "\\"q\\"", \'it\'\'s\', ü🙂]',
      'files:\n  modify: []\n  create: ["a\\nb", "\\"q\\"", \'it\'\'s\', ü🙂]',
    ],
    ['a number sign in a name', 'files:\n  modify: [b#c, old/a, d#e]', 'files:\n  modify: [old/a]\n  create: [b#c, d#e]'],
    // Flow lists
    [
      'the first, a middle one and the last',
      'files:\n  modify: [ b , old/a,c, old/d ,e ]',
      'files:\n  modify: [ old/a,old/d ]\n  create: [b, c, e]',
    ],
    [
      'over several lines',
      'files:\n  modify: [\n    b,\n    old/a,\n    c\n  ]\n  x: 1',
      'files:\n  modify: [\n    old/a\n  ]\n  create: [b, c]\n  x: 1',
    ],
    ['all of several lines', 'files:\n  modify: [\n    b,\n    c,\n  ]', 'files:\n  modify: []\n  create: [b, c]'],
    // What is not missing stays
    [
      'others stay',
      'files:\n  modify: [dir/x, /abs, 5, {a: b}, link, ../up, b]',
      'files:\n  modify: [dir/x, /abs, 5, {a: b}, link, ../up]\n  create: [b]',
    ],
    [
      'block items that are not text stay',
      'files:\n  modify:\n    - 5\n    - b\n    - a: b\n    -\n    - [x]',
      'files:\n  modify:\n    - 5\n    - a: b\n    -\n    - [x]\n  create:\n    - b',
    ],
  ])('%s', async (_, before, after) => {
    for (const lineBreak of ['\n', '\r\n', '\r']) {
      const inLines = (text: string): string => text.replaceAll('\n', lineBreak)
      expect(await mend(inLines(wrap(before)))).toBe(inLines(wrap(after)))
      const inFence = (yaml: string): string => inLines(`Look:\n${fence}yaml\n${yaml}\n${fence}\nDone.`)
      expect(await mend(inFence(before))).toBe(inFence(after))
      const inDocument = (yaml: string): string => inLines(`${fence}${fence}markdown\n---\n${yaml}\n---\n# Title\n${fence}${fence}`)
      expect(await mend(inDocument(before))).toBe(inDocument(after))
    }
    expect(await mend(wrap(after))).toBeUndefined()
  })

  it.each([
    ['an anchor on an entry', 'files:\n  modify: [&x b]\ny: *x'],
    ['an anchor on the list', 'files:\n  modify: &x [b]'],
    ['an anchor on files that is used', 'files: &x\n  modify: [b]\ny: *x'],
    ['an alias among the entries', 'x: &x old/a\nfiles:\n  modify: [*x, b]'],
    ['an alias of the list', 'x: &x [b]\nfiles:\n  modify: *x'],
    ['an alias in create', 'x: &x c\nfiles:\n  modify: [b]\n  create: [*x]'],
    ['a tag', 'files:\n  modify: [!!str b]'],
    ['a tag on the list', 'files:\n  modify: !!seq [b]'],
    ['a tag on create', 'files:\n  modify: [b]\n  create: !!null'],
    ['a block scalar', 'files:\n  modify:\n    - |\n      b\n    - c'],
    ['a folded entry', 'files:\n  modify:\n    - b\n      c'],
    ['a folded scalar', 'files:\n  modify: b\n    c'],
    ['a quoted entry over two lines', 'files:\n  modify: ["b\n    c"]'],
    ['a value below its dash', 'files:\n  modify:\n    -\n      b'],
    ['an explicit key', 'files:\n  ? modify\n  : - b'],
    ['a comment inside of brackets', 'files:\n  modify: [\n    b, # why\n    old/a\n  ]'],
    ['a comment in emptied brackets', 'files:\n  modify: [\n    b # why\n  ]'],
    ['a comment in empty brackets', 'files:\n  modify: [b]\n  create: [\n    # none\n  ]'],
    ['create is a mapping', 'files:\n  modify: [b]\n  create: {c: d}'],
    ['create is a number', 'files:\n  modify: [b]\n  create: 5'],
    ['create without a colon', 'files: {modify: [b], create}'],
    ['modify in other letters', 'files:\n  "mod\\u0069fy": [b]'],
    ['nothing missing', 'files:\n  modify: [old/a]'],
    ['only a directory', 'files:\n  modify: [dir/x]'],
    ['only what is outside', 'files:\n  modify: [/b, link]'],
    ['only what is not text', 'files:\n  modify: [5]'],
  ])('rather leaves it: %s', async (_, yaml) => {
    expect(await mend(wrap(yaml))).toBeUndefined()
  })

  describe('with files in the project', () => {
    const project = ['src/App.ts', 'src/ü.ts', 'src/clock.ts', 'src/a/x.ts', 'src/A/x.ts', 'docs/my file.md']
    const known: FilePort = { kind: async (path) => (project.includes(path) ? 'file' : 'missing'), list: async () => project }
    const settled = async (entries: string) => {
      const { status, text, repairs } = await settle(rules, wrap(entries), { ports: { files: known } })
      return { status, text, made: repairs.map(({ rule, class: kind }) => `${rule} ${kind}`) }
    }

    it.each([
      ['case', '[src/app.ts, "src/APP.ts"] # c', '[src/App.ts, "src/App.ts"] # c'],
      ['separators', "['src\\App.ts']", "['src/App.ts']"],
      ['Unicode form', '[src/u\u0308.ts]', '[src/ü.ts]'],
      ['quotes', "[\"'src/App.ts'\", '`src/App.ts`']", '["src/App.ts", \'src/App.ts\']'],
      ['a name that needs quotes', 'docs/MY file.md', '"docs/my file.md"'],
    ])('corrects a path that differs in %s only', async (_, before, after) => {
      const made = Array(before.includes(',') ? 2 : 1).fill('correct-path lossless')
      expect(await settled(`files:\n  modify: ${before}`)).toEqual({ status: 'repaired', text: wrap(`files:\n  modify: ${after}`), made })
    })

    it.each(['src/*.ts', 'src/?.ts', 'src/{a,b}.ts', 'src/clokc.ts', 'lib/clock.ts', 'src/a/X.ts'])('does not move %s', async (entry) => {
      expect(await settled(`files:\n  modify: ["${entry}"]`)).toMatchObject({ status: 'unresolved', made: [] })
    })

    it('corrects one and moves another', async () => {
      expect(await settled('files:\n  modify: [src/app.ts, brandnew.py]')).toEqual({
        status: 'repaired',
        text: wrap('files:\n  modify: [src/App.ts]\n  create: [brandnew.py]'),
        made: ['correct-path lossless', 'move-to-create guess', 'move-to-create guess'],
      })
    })
  })

  it('leaves a header that a container indents', async () => {
    expect(await mend(`> ${fence}yaml\n> files:\n>   modify: [b]\n> ${fence}\n`)).toBeUndefined()
    expect(await mend(`  ${fence}yaml\n  files:\n    modify: [b]\n  ${fence}\n`)).toBeUndefined()
  })

  it('mends a fence that is still open at the end of the text', async () => {
    expect(await mend(`${fence}yaml\nfiles:\n  modify: [b]`)).toBe(`${fence}yaml\nfiles:\n  modify: []\n  create: [b]`)
    expect(await mend(`${fence}yaml\nfiles:\n  create:\n  modify:\n    - b`)).toBe(
      `${fence}yaml\nfiles:\n  create:\n    - b\n  modify: []\n`,
    )
  })

  it('leaves a header that would grow too large to be read', async () => {
    const sized = (size: number): string => {
      const yaml = 'files:\n  modify:\n    - b\n#'
      return `---\n${yaml}${'-'.repeat(size - yaml.length - 5)}\n---\n`
    }
    expect(await mend(sized(65_536 - 14))).toMatch(/modify: \[\]\n {2}create:/)
    expect((await check(rules, sized(65_536), { ports })).issues).toHaveLength(1)
    expect(await mend(sized(65_536))).toBeUndefined()
  })

  it('does nothing where more is wrong than was looked up', async () => {
    const text = wrap('files:\n  modify: [b, c, d]')
    const few = contract({ checks: [{ file_existence: { maxEntries: 2 } }], allow: ['guess'] })
    const report = await check(few, text, { ports })
    expect(await repair(few, new Answer(text), report, { ports })).toMatchObject({ clean: false, certificates: [] })
  })

  it('confesses each change as a guess', async () => {
    const text = wrap('files:\n  modify:\n    - b\n    - old/a\n  create: [c]')
    const certificates = await propose(text)
    expect(certificates.map(({ rule, class: kind, before, after }) => [rule, kind, before, after])).toEqual([
      ['move-to-create', 'guess', '    - b\n', ''],
      ['move-to-create', 'guess', '', ', b'],
    ])
    for (const { span, before } of certificates) expect(text.slice(span.start, span.end)).toBe(before)
  })

  it('gives a clean answer through the engine, unless guesses are not allowed', async () => {
    const text = wrap('files:\n  modify:\n    - old/a\n    - b')
    const report = await check(rules, text, { ports })
    const result = await repair(rules, new Answer(text), report, { ports })
    expect(result).toMatchObject({ clean: true, report: { issues: [] }, fixed: [{ code: 'FILE_NOT_FOUND' }] })
    expect(result.answer.text).toBe(wrap('files:\n  modify:\n    - old/a\n  create:\n    - b'))
    expect(await repair(rules, new Answer(text), report, { ports, allow: ['lossless'] })).toMatchObject({ clean: false })
  })
})
