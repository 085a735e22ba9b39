import { parseDocument } from 'yaml'

/** Front matter larger or deeper than this is not parsed: the parser's cost and stack are not linear. */
export const yamlLimits = { size: 64 * 1024, depth: 64 } as const

/** Which of the limits a YAML text goes beyond. */
export type YamlRefusal = keyof typeof yamlLimits

/** A YAML text that was read, or the reason why it could not be. */
export type YamlResult =
  | { readonly ok: true; readonly value: unknown }
  /** `refused` when it was too large or too deep to be looked at. */
  | { readonly ok: false; readonly reason: string; readonly refused?: YamlRefusal }

/** Reads YAML from a model: core schema, unique keys, capped in size and depth; never throws. */
export function readYaml(source: string): YamlResult {
  const refusal = refuseYaml(source)
  if (refusal !== undefined) return { ok: false, reason: describeRefusal(refusal), refused: refusal }
  try {
    // The parser knows no CR line breaks; one character for one keeps its offsets.
    const document = parseDocument(source.replace(/\r(?!\n)/g, '\n'), {
      schema: 'core',
      // Plain data only: nothing is constructed from what a model writes.
      resolveKnownTags: false,
      uniqueKeys: true,
      prettyErrors: false,
      logLevel: 'error',
    })
    const problem = document.errors[0] ?? document.warnings[0]
    if (problem) return { ok: false, reason: problem.message }
    const value: unknown = document.toJS({ maxAliasCount: 50 })
    // Throws where an alias holds itself.
    JSON.stringify(value)
    return { ok: true, value }
  } catch (error) {
    return { ok: false, reason: error instanceof Error ? error.message : String(error) }
  }
}

/** Why a YAML text must not be given to the parser, when it must not. */
export function refuseYaml(source: string): YamlRefusal | undefined {
  if (source.length > yamlLimits.size) return 'size'
  return depthOf(source) > yamlLimits.depth ? 'depth' : undefined
}

/** What is said of a YAML text that goes beyond a limit. */
export function describeRefusal(refusal: YamlRefusal): string {
  return refusal === 'size' ? `larger than ${yamlLimits.size} characters` : `nested deeper than ${yamlLimits.depth} levels`
}

/** An upper bound of the nesting: flow brackets, and on each line its indentation and compact markers. */
function depthOf(source: string): number {
  let flow = 0
  let deepestSeen = 0
  for (const line of source.split(/\r\n|[\r\n]/)) {
    const lead = /^[\s?:-]*/.exec(line)?.[0] ?? ''
    let markers = 0
    for (const char of lead) if (char !== ' ') markers++
    for (const char of line) {
      if (char === '[' || char === '{') flow++
      else if ((char === ']' || char === '}') && flow > 0) flow--
      deepestSeen = Math.max(deepestSeen, flow)
    }
    deepestSeen = Math.max(deepestSeen, markers, Math.ceil(lead.length / 2))
  }
  return deepestSeen
}
