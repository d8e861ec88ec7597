// A request that opens a talk in plain text, both ways, as netcat and telnet do: frames are text, and null is the end of what one says.

/** The request. */
export const Raw = Object.freeze({kind: 'raw'});
