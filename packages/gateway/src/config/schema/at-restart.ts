import * as z from 'zod'

/** Marks the keys that take effect only at startup; `only` says where the change waits, if the key is otherwise live. */
export const atRestart = z.registry<{ readonly only?: 'over gRPC' }>()
