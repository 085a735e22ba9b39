// A parser service in a process of its own, which ends with the benchmark.
import { startParserService } from '../../packages/parser/dist/service/parser-service.js'

const service = await startParserService({ quiet: true })
process.send(service.port)
process.once('disconnect', () => process.exit())
