import { ConfigurationError } from '@stickler/core'
import { closest } from '@stickler/core/internal'
import { parserVariables } from '@stickler/presets/internal'
import * as z from 'zod'
import { readParserAddress } from './parser-address.ts'

/** The address of a service. */
export const serviceAddress = z.string().superRefine((written, context) => complainOf(written, '', context))

const addressSchema = z.string().superRefine((written, context) => {
  if (written !== 'local') complainOf(written, closest(written, ['local']) === undefined ? '' : '; did you mean local?', context)
})

function complainOf(written: string, advice: string, context: z.RefinementCtx): void {
  try {
    readParserAddress(written)
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    for (const { message } of error.problems) context.addIssue({ code: 'custom', message: `${message}${advice}` })
  }
}

const seconds = z.number().max(86_400)

/** The `parser` key with all its settings. */
export const parserObjectSchema = z.strictObject({
  url: addressSchema
    .optional()
    .describe(
      `The service, grpc://host:port or grpcs://host:port, or local: in processes on this machine. ${parserVariables.url}, else local.`,
    ),
  timeout: seconds
    .nonnegative()
    .optional()
    .describe(`Seconds for one call; 0 switches the parser off. ${parserVariables.timeout}, else 2.`),
  ca: z.string().min(1).optional().describe('PEM file with the certificate authorities for a grpcs service, relative to this file.'),
  messageLimit: z
    .int()
    .min(1024)
    .max(256 * 1024 * 1024)
    .optional()
    .describe('Maximum bytes of a message to or from the service, 4 MiB by default; larger code is unchecked.'),
  catalogues: z
    .record(z.string().min(1), z.string().min(1))
    .optional()
    .describe('JSON files, relative to this one, with the commands of a language, by its name; for the local parser.'),
  preload: z
    .union([z.boolean(), z.array(z.string().min(1))])
    .optional()
    .describe(
      'Languages whose grammars the gateway loads at its start, if a contract checks code, or true for all; bash, javascript and python by default. For the local parser.',
    ),
  breaker: z
    .strictObject({
      failures: z
        .int()
        .min(1)
        .max(10_000)
        .optional()
        .describe(`Failures in a row that open the circuit. ${parserVariables.failures}, else 3.`),
      cooldown: seconds
        .positive()
        .optional()
        .describe(`Seconds until one call probes the service again. ${parserVariables.cooldown}, else 30.`),
    })
    .prefault({})
    .describe('When calls to a failing service stop, and for how long.'),
})

/**
 * The `parser` key of a configuration, an address alone or with settings: the parser that checks
 * code.
 */
export const parserSchema = z.union([addressSchema, parserObjectSchema])

/** The `parser` key as it is written. */
export type WrittenParser = z.input<typeof parserSchema>
