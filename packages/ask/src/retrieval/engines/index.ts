import { elasticsearch, opensearch } from './elastic/index.ts'
import type { EngineKind } from './engine-kind.ts'
import { postgres } from './postgres/index.ts'
import { sqlite } from './sqlite/index.ts'

/** Every engine that keeps an index. */
export const engineKinds: readonly EngineKind[] = [sqlite, postgres, elasticsearch, opensearch]
