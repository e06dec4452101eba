/** A line of the log with nothing but a message. */
const LINE = /^\{"level":\d+,"time":\d+,"pid":\d+,"msg":(".*")\}$/gm

/** The output of a shop, with the messages of its start and end as a terminal shows them. */
export const plainLines = (output: string): string =>
  output.replace(LINE, (_line, msg: string) => JSON.parse(msg))
