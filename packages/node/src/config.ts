export { type ProgramVariables, secretsIn, usualEnvironment } from './workers/usual-environment.ts'
