/**
 * The answer, where it is to what was asked: what it says of itself is what was asked for. Throws
 * otherwise. A provider, or a proxy on the way, that answers twice on one connection gives the next
 * who asks there another's answer, and another's money must never be booked as theirs.
 */
export function answered<Answer extends object>(answer: Answer, asked: Partial<Answer>): Answer {
  const isOther = Object.entries(asked).some(([name, value]) => Reflect.get(answer, name) !== value)
  if (isOther) throw new Error('The answer is to another question.')
  return answer
}
