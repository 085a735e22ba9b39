import { defineCodeSyntax } from './define.ts'

/** Fails when code in the answer does not parse. */
export const codeSyntax = defineCodeSyntax([])
