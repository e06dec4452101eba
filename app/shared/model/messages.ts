/** Messages of failures that the server and the browser both give. */
export const LOG_IN_FIRST = 'Please log in.'
export const NO_SUCH_ADDRESS = 'There is nothing at this address.'
export const UNREACHABLE = 'The shop cannot be reached just now. Please try again.'
