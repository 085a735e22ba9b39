import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { catalogue } from '@stickler/core'
import { policySchema } from '@stickler/core/internal'
import { catalogue as withPresets } from '@stickler/presets'
import { beforeAll, describe, expect, test } from 'vitest'
import { describedObjects, withDescriptions } from '../tools/types/descriptions.mjs'
import { hoversOf } from '../tools/types/hovers.mjs'
import { unexportedTypes } from '../tools/types/unexported.mjs'
import { root, scratchFolder, writeFiles } from './support/places.ts'
import { requireBuilt } from './support/require-built.ts'
import { run } from './support/run.ts'

beforeAll(() => requireBuilt(['core']))

test('every type that an exported type mentions can be imported', () => {
  expect(unexportedTypes()).toEqual([])
})

describe('editors show what an option means', () => {
  const described = ({ definition: { name, options } }: (typeof catalogue.validators)[number]) =>
    [...(describedObjects([options])[0] ?? [])].map(([key, description]) => ({ name, key, description }))
  const named = catalogue.validators.flatMap(described)
  const isGeneric = (name: string) => catalogue.validators.some(({ definition }) => definition.name === name)
  const called = Object.entries(withPresets.presets).flatMap(([preset, { validators = [] }]) =>
    validators
      .filter((one) => !isGeneric(one.definition.name))
      .flatMap(described)
      .map((one) => ({ ...one, preset, function: one.name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()) })),
  )
  const policy = [...(describedObjects([policySchema])[0] ?? [])].map(([key, description]) => ({ key, description }))

  test('of every check by its name, of every key of a contract, and of validators that are called', () => {
    const written = [
      ...named.map(({ name, key }) => `contract({ checks: [{ ${name}: { /*?*/${key}: never } }] })`),
      ...called.map(({ preset, function: name, key }) => `${preset}.${name}({ /*?*/${key}: never })`),
    ]
    const keys = policy.map(({ key }) => `contract({ /*?*/${key}: never })`)
    const program = `import { contract, enforce, type Runner } from './index.js'
import { json, length, maxWords } from './validators.js'
${Object.keys(withPresets.presets)
  .map((name) => `import * as ${name} from '../../presets/dist/${name}/index.js'`)
  .join('\n')}
import * as z from 'zod'
declare const runner: Runner
declare const never: never
maxWords({ /*?*/limit: 3 })
length({ words: { /*?*/max: 3 } })
json({ /*?*/schema: {} })
const outcome = await enforce({ contract: contract({ checks: [json({ schema: z.object({ n: z.number() }) })] }), runner, prompt: '' })
if (outcome.status === 'valid') outcome./*?*/value
${[...written, ...keys].join('\n')}`
    const [limit, max, schema, value, ...told] = hoversOf(program)
    expect(limit).toEqual({ shown: '(property) limit: number', documentation: 'Maximum number of words.' })
    expect(max).toEqual({ shown: '(property) max?: number | undefined', documentation: 'Most allowed.' })
    expect(schema?.documentation).toMatch(/^JSON Schema, or any Standard Schema/)
    expect(value?.shown).toContain('n: number')
    const asked = [...[...named, ...called].map(({ name, key }) => `${name}.${key}`), ...policy.map(({ key }) => key)]
    const expected = [...named, ...called, ...policy].map(({ description }) => description)
    expect(asked.map((place, index) => [place, told[index]?.documentation])).toEqual(asked.map((place, index) => [place, expected[index]]))
    expect(named.length).toBeGreaterThan(40)
  })

  test('comments are written once, and replaced when the description changes', () => {
    const declared =
      'export declare const a: z.ZodObject<{\n    "b-c": z.ZodObject<{\n        d: z.ZodEnum<{\n            b: "b";\n        }>;\n    }>;\n}>;'
    const described = (text: string) => [new Map([['b-c', text]]), new Map([['d', 'No */ end.']])]
    const once = withDescriptions(declared, described('One.'))
    expect(once.split('\n')).toEqual([
      'export declare const a: z.ZodObject<{',
      '    /** One. */',
      '    "b-c": z.ZodObject<{',
      '        /** No *\\/ end. */',
      '        d: z.ZodEnum<{',
      '            b: "b";',
      '        }>;',
      '    }>;',
      '}>;',
    ])
    expect(withDescriptions(once, described('One.'))).toBe(once)
    expect(withDescriptions(once, described('Two.'))).toBe(once.replace('One.', 'Two.'))
    expect(withDescriptions(declared, [])).toBe(declared)
  })
})

const program = `import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type Contract, check, contract, defineContract, defineValidator, enforce, enforceStream, issue, type AnsweredSettled, type Outcome, settle } from '@stickler/core'
import { json, maxWords } from '@stickler/core/validators'
import { scripted } from '@stickler/core/testing'
import { helix } from '@stickler/presets/helix'
import * as v from 'valibot'
import * as z from 'zod'
import plain from './person.json' with { type: 'json' }

interface Person { readonly name: string }
export const Plan = z.object({ city: z.string(), start: z.string().transform((day) => new Date(day)) })
export const polite = defineValidator({
  name: 'polite',
  summary: 'The answer is polite.',
  options: z.strictObject({ word: z.string().default('please') }),
  codes: { RUDE: { severity: 'error', when: 'w', fix: 'f' } },
  instruct: ({ word }) => word,
  prepare: ({ word }) => ({
    *check({ text }) {
      if (!text.includes(word)) yield issue('RUDE', 'm')
    },
  }),
})
// Exported without a type, so that the declarations have to name every type.
export const rules = contract({ preset: helix, checks: ['step_marker', { max_words: { limit: 3 } }, polite({}), json({ schema: Plan })] })
export const own = { ...helix, retries: 1 }
export const alone = defineContract({ checks: [maxWords({ limit: 3 }), json<Person>({ schema: plain })], retries: 1 })
export const valibot = contract({ checks: [json({ schema: toStandardJsonSchema(v.object({ n: v.number() })) })] })
export const asked = { runner: scripted([]), prompt: 'p' }
export const outcome = await enforce({ contract: rules, ...asked, onEvent: (event) => event.type })
export const stream = enforceStream({ contract: alone, ...asked })
export const settled = await settle(valibot, '{}')
export const report = await check(valibot, '{}')
export function nameOf(given: Outcome<Person>): string {
  return given.status === 'valid' || given.status === 'repaired' ? given.value.name : given.status === 'failed' ? given.failure.message : ''
}
export const year: number = outcome.status === 'valid' ? outcome.value.start.getFullYear() : 0
export const name: string = nameOf(await stream.outcome)
export const n: number | undefined = settled.status === 'repaired' ? settled.value.n : report.value?.n
export const kept: AnsweredSettled<Person> | undefined = undefined
export const any: Contract = rules
`
/** Each line, with what the compiler must say of it. */
const wrong: readonly (readonly [line: string, message: RegExp])[] = [
  ["contract({ checks: ['max_wrods'] })", /Type '"max_wrods"' is not assignable .* Did you mean '"max_words"'\?/],
  ['contract({ checks: [{ max_words: { limt: 3 } }] })', /'limt' does not exist .* Did you mean to write 'limit'\?/],
  ["contract({ checks: [{ max_words: { limit: '3' } }] })", /Type 'string' is not assignable to type 'number'/],
  ['contract({ checks: [{ max_wrods: {} }] })', /'max_wrods' does not exist in type '.*NamedCheck/],
  ["contract({ preset: 'helix' })", /Type 'string' is not assignable to type 'Preset/],
  ["contract({ preset: helix, checks: ['step_markr'] })", /'"step_markr"' is not assignable .* Did you mean '"step_marker"'\?/],
  ['contract({ retires: 1 })', /'retires' does not exist/],
  ['outcome.value.city', /'outcome\.value' is possibly 'undefined'/],
  ["if (outcome.status === 'valid') outcome.value.cty", /Property 'cty' does not exist .* Did you mean 'city'\?/],
  ["if (outcome.status === 'unresolved') outcome.value.city", /'outcome\.value' is possibly 'undefined'/],
  ["if (outcome.status === 'vaild') outcome", /no overlap/],
]

test.each(['bundler', 'nodenext'])(
  'a strict project with module resolution %s compiles, and is told what is wrong',
  async (moduleResolution) => {
    const head =
      "import { contract } from '@stickler/core'\nimport { helix } from '@stickler/presets/helix'\nimport { outcome } from './program.ts'\n"
    const files = { 'program.ts': program, 'wrong.ts': head + wrong.map(([line]) => line).join('\n') }
    const { output } = await compile(await project(moduleResolution, files))
    const said = output.split('\n').filter((line) => line.includes('error TS'))
    for (const [index, [line, message]] of wrong.entries())
      expect(
        said.find((one) => one.startsWith(`wrong.ts(${index + 4},`)),
        line,
      ).toMatch(message)
    // Nothing else is wrong; declarations of the program name every type.
    expect(said.filter((line) => !line.startsWith('wrong.ts'))).toEqual([])
    expect(said).toHaveLength(wrong.length)
    // A measure that is the same on every machine; types that recurse over the catalogue would take millions.
    expect(Number(/Instantiations:\s+(\d+)/.exec(output)?.[1])).toBeLessThan(80_000)
  },
)

async function project(moduleResolution: string, files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await scratchFolder()
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    target: 'es2022',
    module: moduleResolution === 'bundler' ? 'esnext' : 'nodenext',
    moduleResolution,
    allowImportingTsExtensions: true,
    resolveJsonModule: true,
    declaration: true,
    emitDeclarationOnly: true,
    outDir: 'out',
    types: ['node'],
    skipLibCheck: true,
  }
  await writeFiles(folder, {
    ...files,
    'person.json': JSON.stringify({ type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }),
    'package.json': JSON.stringify({ type: 'module' }),
    'tsconfig.json': JSON.stringify({ compilerOptions, include: ['*.ts'] }),
  })
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

function compile(cwd: string) {
  return run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', '.', '--extendedDiagnostics', '--pretty', 'false'], {
    cwd,
  })
}
