import { catalogue } from '@stickler/core'
import type { rebuild } from '@stickler/core/remote'
import { soundCalls } from './sound-calls.ts'

/** What a validator is made from. */
export type ValidatorDefinition = Awaited<ReturnType<typeof rebuild>>[number]['definition']

/** All validators that ship with the gateway, which need no module of their own. */
export const shippedValidators: readonly { readonly definition: ValidatorDefinition }[] = [...catalogue.validators, soundCalls]
