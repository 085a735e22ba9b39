import { ConfigurationError, type ConfigurationProblem } from '@stickler/core'
import { unknownName } from '@stickler/core/internal'
import type { Language } from '@stickler/core/validators'
import * as z from 'zod'
import type { AvapCatalogue } from './catalogue.ts'
import { defaultCatalogue } from './default-catalogue.ts'
import { parseAvap } from './parse-avap.ts'
import { vocabularyOf } from './vocabulary.ts'

const count = z.int().min(0).max(1000)
const arity = z.union([count, z.tuple([count, count]).refine(([least, most]) => least <= most, 'the least comes first')])
const words = z.array(z.string().min(1)).readonly()

const catalogueSchema = z.strictObject({
  commands: z.record(
    z.string().min(1),
    z.union([arity, z.strictObject({ arguments: arity, assigned: arity.optional(), block: z.boolean().optional() })]),
  ),
  functions: words,
  aliases: z.record(z.string().min(1), z.strictObject({ command: z.string().min(1), wording: z.enum(['unknown', 'undefined']) })),
  constructs: z
    .array(z.strictObject({ words, required: z.string().min(1), suggestion: z.string().optional(), opens: z.boolean().optional() }))
    .readonly(),
  roots: words,
})

/** Reads a catalogue from JSON; a part that it leaves out is that of the default. */
function readCatalogue(written: unknown): AvapCatalogue {
  const { data, error } = catalogueSchema.partial().safeParse(written)
  if (data === undefined) throw new ConfigurationError(error.issues.flatMap(problemsOf))
  const { commands, functions, aliases, constructs, roots } = defaultCatalogue
  return {
    commands: data.commands ?? commands,
    functions: data.functions ?? functions,
    aliases: data.aliases ?? aliases,
    constructs: data.constructs ?? constructs,
    roots: data.roots ?? roots,
  }
}

function problemsOf(issue: z.core.$ZodIssue): ConfigurationProblem[] {
  const { message, path } = issue
  if (issue.code !== 'unrecognized_keys' || path.length > 0) return [{ message, path: path.map(String) }]
  return issue.keys.map((key) => ({ message: unknownName('key', key, Object.keys(catalogueSchema.shape)), path: [] }))
}

/** AVAP with the commands of a catalogue. */
export function avapLanguage(catalogue: AvapCatalogue = defaultCatalogue): Language {
  return {
    name: 'avap',
    parsedBy: "Stickler's own parser, with a [catalogue of commands](../reference/parser.md#catalogues)",
    async load() {
      const vocabulary = vocabularyOf(catalogue)
      return (source) => parseAvap(source, vocabulary)
    },
    with: (written) => avapLanguage(readCatalogue(written)),
  }
}
