// A process that reads one response repeatedly until it is killed.
import { timeFullRead } from './timing.ts'

const [url = '', key = ''] = process.argv.slice(2)
for (;;) {
  await timeFullRead(url, key)
  process.send?.('read')
}
