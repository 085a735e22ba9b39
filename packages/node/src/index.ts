export { type TestCase, type TestCasesOptions, testCases } from './cases/test-cases.ts'
export { nodeFiles } from './files/node-files.ts'
export { type CommandRules, type CommandRulesSettings, commandRules } from './rules/command-rules.ts'
