import { flatShape } from './flat.ts'
import type { ToolShape } from './shape.ts'

/** OpenAI's deprecated `function_call`: a flat call that stands alone under its key. */
export const functionCallShape: ToolShape = { ...flatShape, holder: { key: 'function_call', holds: 'one' } }
