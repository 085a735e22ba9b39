export type { Language, SourceParser } from './languages/language.ts'
