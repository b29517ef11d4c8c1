/** More bytes would be a number above 2^53. */
const VARINT_BYTES_MAX = 8;

/** Reads what `ByteWriter` wrote. Every method throws a RangeError where the bytes are not that. */
export class ByteReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  byte(): number {
    const value = this.#bytes.readUInt8(this.#at);
    this.#at += 1;
    return value;
  }

  uint48(): number {
    const value = this.#bytes.readUIntBE(this.#at, 6);
    this.#at += 6;
    return value;
  }

  varint(): number {
    let value = 0;
    let scale = 1;
    for (let count = 0; count < VARINT_BYTES_MAX; count += 1) {
      const byte = this.byte();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      scale *= 0x80;
    }
    throw new RangeError('a number that does not end');
  }

  hex(length: number): string {
    return this.#take(length).toString('hex');
  }

  text(): string {
    return this.#take(this.varint()).toString('utf8');
  }

  /** Whether something is left to read. */
  get hasMore(): boolean {
    return this.#at < this.#bytes.length;
  }

  /** Nothing may be left over: a payload of another shape would have been misread. */
  end(): void {
    if (this.#at !== this.#bytes.length) throw new RangeError('bytes after the end');
  }

  #take(length: number): Buffer {
    const end = this.#at + length;
    if (end > this.#bytes.length) throw new RangeError('a text longer than what is there');
    const taken = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return taken;
  }
}
