import { type YamlRefusal, yamlLimits } from '@stickler/core/internal/yaml'
import { TooComplex } from '@stickler/core/validators'
import { mostHeaders } from './metadata-headers.ts'

const reasons: Readonly<Record<YamlRefusal, ConstructorParameters<typeof TooComplex>[0]>> = {
  size: {
    en: `its YAML header is larger than ${yamlLimits.size} characters`,
    de: `ihr YAML-Header ist größer als ${yamlLimits.size} Zeichen`,
  },
  depth: {
    en: `its YAML header is nested deeper than ${yamlLimits.depth} levels`,
    de: `ihr YAML-Header ist tiefer als ${yamlLimits.depth} Ebenen verschachtelt`,
  },
}

/** A header that is not read because of its size or depth. */
export function tooComplexHeader(refusal: YamlRefusal): TooComplex {
  return new TooComplex(reasons[refusal])
}

/** An answer with more headers, and fences that may hold one, than are read. */
export function tooManyHeaders(): TooComplex {
  return new TooComplex({
    en: `it has more than ${mostHeaders} blocks that may be a header`,
    de: `sie hat mehr als ${mostHeaders} Blöcke, die ein Header sein können`,
  })
}
