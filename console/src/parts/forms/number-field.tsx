import { NumberInput, type NumberInputProps } from '@mantine/core';
import { useState } from 'react';

interface NumberFieldProps extends Omit<NumberInputProps, 'value' | 'onChange' | 'defaultValue'> {
  readonly value: number | null;
  readonly onChange: (value: number | null) => void;
}

/** A number, or none. What is being typed, such as `0.`, stays as it is typed. */
export function NumberField({ value, onChange, ...rest }: NumberFieldProps) {
  const [typed, setTyped] = useState<string | number>(value ?? '');
  const isSame = numberOf(typed) === value;
  return (
    <NumberInput
      {...rest}
      hideControls
      value={isSame ? typed : (value ?? '')}
      onChange={(next) => {
        setTyped(next);
        onChange(numberOf(next));
      }}
    />
  );
}

/** A price of a thousand impressions in US dollars. */
export function PriceField(props: NumberFieldProps) {
  return <NumberField prefix="$" decimalScale={6} min={0} {...props} />;
}

function numberOf(typed: string | number): number | null {
  const number = typed === '' ? Number.NaN : Number(typed);
  return Number.isFinite(number) ? number : null;
}
