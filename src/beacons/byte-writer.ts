/** Texts up to this many UTF-16 units are written without a call into Node, if they are ASCII. */
const SHORT_UNITS_MAX = 24;
const ASCII_MAX = 0x7f;

/**
 * Writes a token's payload: unsigned numbers in as few bytes as they need, texts with their length.
 * Its memory serves one payload after the other.
 */
export class ByteWriter {
  readonly #bytes: Buffer;
  #at = 0;

  /** @param bytesMax room for everything that will be written. */
  constructor(bytesMax: number) {
    this.#bytes = Buffer.alloc(bytesMax);
  }

  /** Begins anew, over what was written so far. */
  restart(): void {
    this.#at = 0;
  }

  /**
   * What was written so far; good until the next `restart`.
   *
   * @throws RangeError when there was no room for it.
   */
  get written(): Buffer {
    this.#assertRoom(0);
    return this.#bytes.subarray(0, this.#at);
  }

  /** Not checked against the room: a byte beyond it is lost, and `written` then throws. */
  byte(value: number): void {
    this.#bytes[this.#at] = value;
    this.#at += 1;
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
    this.#assertRoom(length);
    const written = this.#bytes.write(digits, this.#at, 'hex');
    if (digits.length !== length * 2 || written !== length) {
      throw new TypeError(`"${digits}" is not ${length} bytes in hexadecimal`);
    }
    this.#at += length;
  }

  text(value: string): void {
    if (value.length <= SHORT_UNITS_MAX && this.#shortText(value)) return;
    const length = Buffer.byteLength(value);
    this.varint(length);
    this.#assertRoom(length);
    this.#at += this.#bytes.write(value, this.#at);
  }

  /** Writes nothing that counts, and says so, when the text is not all ASCII. */
  #shortText(value: string): boolean {
    const { length } = value;
    const textAt = this.#at + 1;
    this.#assertRoom(length + 1);
    for (let index = 0; index < length; index += 1) {
      const unit = value.charCodeAt(index);
      if (unit > ASCII_MAX) return false;
      this.#bytes[textAt + index] = unit;
    }
    this.#bytes[this.#at] = length;
    this.#at = textAt + length;
    return true;
  }

  #assertRoom(bytes: number): void {
    if (this.#at + bytes > this.#bytes.length) {
      throw new RangeError(`the content takes more than ${this.#bytes.length} bytes`);
    }
  }
}
