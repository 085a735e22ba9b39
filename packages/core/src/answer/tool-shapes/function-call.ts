import { flatShape } from './flat.ts'
import type { ToolShape } from './shape.ts'

/** OpenAI's deprecated `function_call`: a single flat call under its own key. */
export const functionCallShape: ToolShape = { ...flatShape, holder: { key: 'function_call', holds: 'one' } }
