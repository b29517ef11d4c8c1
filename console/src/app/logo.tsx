import { Group, Text } from '@mantine/core';
import icon from './icon.svg';

/** The mark with the name. */
export function Logo({ size = 28 }: { readonly size?: number }) {
  return (
    <Group gap="xs" wrap="nowrap">
      <img src={icon} width={size} height={size} alt="" />
      <Text fw={700} fz={size * 0.7} lh={1}>
        Rialto
      </Text>
    </Group>
  );
}
