import { type Metadata, ServerInterceptingCall, type ServerInterceptor, status } from '@grpc/grpc-js'
import { type Refusal, refusal } from './refusal.ts'

/** Decides by its path and metadata whether a call may begin; resolves to why not. */
export type CallCheck = (path: string, metadata: Metadata) => Promise<Refusal | undefined> | Refusal | undefined

/** Ends calls that may not begin before anything of their message is read. */
export function gate(check: CallCheck): ServerInterceptor {
  return ({ path }, call) =>
    new ServerInterceptingCall(call, {
      start: (start) =>
        start({
          onReceiveMetadata(metadata, next) {
            const decide = (refused: Refusal | undefined): void => {
              if (refused === undefined) next(metadata)
              else call.sendStatus(refused)
            }
            const checked = check(path, metadata)
            if (checked instanceof Promise)
              void checked.then(decide, () => decide(refusal(status.INTERNAL, 'the call could not be checked')))
            else decide(checked)
          },
        }),
    })
}
