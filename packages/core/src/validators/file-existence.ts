import * as z from 'zod'
import { defineValidator } from '../contract/validator.ts'
/** placeholder while file_existence is being written */
export const fileExistence = defineValidator({ name: 'file_existence', summary: 's', options: z.strictObject({}), codes: {}, instruct: () => '', prepare: () => ({ check: () => [] }) })
