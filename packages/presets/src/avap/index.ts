export { codeSyntax } from './code-syntax.ts'
export { avap } from './preset.ts'
