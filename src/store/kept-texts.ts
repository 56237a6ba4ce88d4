// Texts that took some work to make: their room is counted in characters.
import { Kept } from './kept.ts'

export class KeptTexts extends Kept<string> {
  constructor(room: number) {
    super(room, ({ length }) => length)
  }
}
