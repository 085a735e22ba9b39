// A parser service that a certain snippet ends, and that prints every snippet before.
import { Server, ServerCredentials } from '@grpc/grpc-js'
import { loadParserProto } from '../../dist/wire/parser-proto.js'

const server = new Server()
const print = (value) => process.stdout.write(`${JSON.stringify(value)}\n`)
server.addService(loadParserProto().methods, {
  Parse({ request: { source } }, answer) {
    process.stdout.write(`${JSON.stringify({ source })}\n`, () => {
      if (source.includes('POISON')) process.exit(1)
      answer(null, { verdict: 'VALID' })
    })
  },
  Languages: (_call, answer) => answer(null, {}),
})
server.bindAsync(`127.0.0.1:${process.argv[2] ?? 0}`, ServerCredentials.createInsecure(), (error, port) => {
  if (error) throw error
  print({ url: `grpc://127.0.0.1:${port}` })
})
