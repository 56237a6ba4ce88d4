// A process of its own that reads one answer over and over, for as long as it is let.
import { timeWhole } from './timing.ts'

const [url = '', key = ''] = process.argv.slice(2)
for (;;) {
  await timeWhole(url, key)
  process.send?.('read')
}
