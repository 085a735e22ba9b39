import { ParserUnavailable, type SyntaxParser } from '@stickler/core/validators'
import { avapLanguage } from '@stickler/presets/avap'

const parse = await avapLanguage().load()

/** The real parser, in this process; it may be gone from a call on. */
export function avapParser(goneFrom = Number.POSITIVE_INFINITY): SyntaxParser & { readonly sources: string[] } {
  const sources: string[] = []
  return {
    sources,
    async parse(_language, source) {
      if (sources.push(source) > goneFrom) throw new ParserUnavailable('the circuit is open', 'fault')
      const [first, ...more] = parse(source)
      return first === undefined ? { verdict: 'valid' } : { verdict: 'invalid', trace: [first, ...more] }
    },
  }
}
