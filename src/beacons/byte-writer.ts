/** Writes a token's payload: unsigned numbers in as few bytes as they need, texts with their length. */
export class ByteWriter {
  readonly #bytes: Buffer;
  #at = 0;

  /** @param bytesMax room for everything that will be written. */
  constructor(bytesMax: number) {
    this.#bytes = Buffer.allocUnsafe(bytesMax);
  }

  /** What was written so far. */
  get written(): Buffer {
    return this.#bytes.subarray(0, this.#at);
  }

  byte(value: number): void {
    this.#at = this.#bytes.writeUInt8(value, this.#at);
  }

  /** A number below 2^48 in six bytes. */
  uint48(value: number): void {
    this.#at = this.#bytes.writeUIntBE(value, this.#at, 6);
  }

  /** Seven bits a byte, lowest first; the eighth says that more follow. */
  varint(value: number): void {
    if (!Number.isSafeInteger(value) || value < 0) {
      throw new TypeError(`${value} is no unsigned integer`);
    }
    let rest = value;
    // Not with shifts: they cut to 32 bits.
    while (rest >= 0x80) {
      this.byte((rest % 0x80) + 0x80);
      rest = Math.floor(rest / 0x80);
    }
    this.byte(rest);
  }

  /** @param digits hexadecimal, two for each of `length` bytes. */
  hex(digits: string, length: number): void {
    const written = this.#bytes.write(digits, this.#at, 'hex');
    if (digits.length !== length * 2 || written !== length) {
      throw new TypeError(`"${digits}" is not ${length} bytes in hexadecimal`);
    }
    this.#at += length;
  }

  bytes(value: Buffer): void {
    const written = value.copy(this.#bytes, this.#at);
    if (written !== value.length) throw new RangeError('the writer has no room for these bytes');
    this.#at += written;
  }

  text(value: string): void {
    const length = Buffer.byteLength(value);
    this.varint(length);
    const written = this.#bytes.write(value, this.#at);
    if (written !== length) throw new RangeError('the writer has no room for this text');
    this.#at += written;
  }
}
