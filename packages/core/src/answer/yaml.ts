import { Composer, type CST, Parser } from 'yaml'

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
    // The parser does not support CR line breaks; replacing one character by one keeps its offsets.
    const tokens = [...new Parser().parse(source.replace(/\r(?!\n)/g, '\n'))]
    if (yamlDepth(tokens) > yamlLimits.depth) return { ok: false, reason: describeRefusal('depth'), refused: 'depth' }
    const composer = new Composer({
      schema: 'core',
      // Plain data only: nothing is constructed from what a model writes.
      resolveKnownTags: false,
      uniqueKeys: true,
      logLevel: 'error',
    })
    const [document, second] = composer.compose(tokens, true, source.length)
    const problem = document?.errors[0] ?? document?.warnings[0]
    if (document === undefined || problem) return { ok: false, reason: problem?.message ?? 'there is no document' }
    if (second !== undefined) return { ok: false, reason: 'Source contains multiple documents' }
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

/** The message for a YAML text that exceeds a limit. */
export function describeRefusal(refusal: YamlRefusal): string {
  return refusal === 'size' ? `larger than ${yamlLimits.size} characters` : `nested deeper than ${yamlLimits.depth} levels`
}

/** How deeply the parser's tokens are nested, counted without recursion: what reads them needs a stack as deep. */
export function yamlDepth(tokens: Iterable<CST.Token>): number {
  let deepest = 0
  const waiting: { readonly value: unknown; readonly depth: number }[] = [{ value: [...tokens], depth: 0 }]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { value, depth } = next
    if (Array.isArray(value)) {
      for (const item of value) waiting.push({ value: item, depth })
    } else if (typeof value === 'object' && value !== null) {
      const isToken = 'type' in value
      if (isToken) deepest = Math.max(deepest, depth + 1)
      for (const name of ['items', 'value', 'key'] as const)
        if (name in value) waiting.push({ value: (value as Record<string, unknown>)[name], depth: isToken ? depth + 1 : depth })
    }
  }
  return deepest
}

/** A quick estimate of the nesting, which quoted brackets can deceive: flow brackets, and on each line its indentation and compact markers. */
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
